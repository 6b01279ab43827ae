import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RUN_MARKER, type ProcessRow } from "./process-row.ts";

const run = promisify(execFile);

// With many processes and long environments the default of 1 MiB is too little.
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** For systems without /proc. Environments are those of our own user's processes only, and best effort. */
export async function readPsTable(): Promise<readonly ProcessRow[]> {
  const [rows, environments] = await Promise.all([
    ps(["-axo", "pid=,ppid=,pgid=,sess=,stat=,time=,lstart="]),
    ps(
      process.platform === "darwin" ? ["-axEwwo", "pid=,command="] : ["axeww", "-o", "pid=,args="],
    ),
  ]);
  const runIds = new Map(environments.flatMap(runIdOf));
  return rows.flatMap(rowOf).map((row) => ({ ...row, runId: runIds.get(row.pid) }));
}

async function ps(args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run("ps", args, {
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  });
  return stdout.split("\n");
}

function rowOf(line: string): readonly Omit<ProcessRow, "runId">[] {
  const [pid, parent, group, session, state, time = "", ...started] = line.trim().split(/\s+/);
  if (state === undefined || state.startsWith("Z")) return [];
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // Some systems print an address here.
      session: /^\d+$/.test(session ?? "") ? Number(session) : 0,
      name: "",
      started: started.join(" "),
      cpuTicks: ticksOf(time),
    },
  ];
}

/** `[days-][hours:]minutes:seconds[.hundredths]`. */
function ticksOf(time: string): number {
  const [clock = "", days = "0"] = time.split("-").reverse();
  const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 100);
}

function runIdOf(line: string): readonly (readonly [number, string])[] {
  const runId = new RegExp(`\\s${RUN_MARKER}=(\\S+)`).exec(line)?.[1];
  return runId === undefined ? [] : [[Number.parseInt(line, 10), runId]];
}

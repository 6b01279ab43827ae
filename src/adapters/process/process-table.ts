import { execFile } from "node:child_process";
import { existsSync, closeSync, openSync, readdirSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";

const run = promisify(execFile);

/** This variable tells the processes of one run from all others, even those that left its session. */
export const RUN_MARKER = "WAVETRAIN_RUN_ID";

export const HAS_PROC = existsSync("/proc/self/stat");

// On a busy machine a process may start its successor and end during one reading. So processes that began meanwhile are read too.
const ROUNDS = 5;
const CHUNK_BYTES = 1 << 16;

/** Threads of the kernel are skipped: we never start any, and on a quiet host they are most of the table. */
const KERNEL_THREAD = 0x0020_0000;

// With many processes and long environments the default of 1 MiB is too little.
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

// All readings share one buffer, because each ends before the next begins.
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

/** This is a living process. Zombies are not listed. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** This is 0 where the system does not tell. */
  readonly session: number;
  /** This is the program's name. It is empty where the system does not tell it cheaply. */
  readonly name: string;
  /** The value is opaque. The same pid with another value is another process. */
  readonly started: string;
  /** This is the processor time of the process and of the children that it has waited for, in hundredths of a second. */
  readonly cpuTicks: number;
  /** This comes from the process's environment, where we may read it. */
  readonly runId: string | undefined;
}

/** This recognizes a process even after its number was given to another one. */
export type Identity = Pick<ProcessRow, "pid" | "started">;

type ProcStat = Omit<ProcessRow, "runId">;

export const readProcessTable: () => Promise<readonly ProcessRow[]> = HAS_PROC
  ? () => Promise.resolve(readProcTable())
  : readPsTable;

/** Reads synchronously, because the kernel answers from memory: waiting for a thread would cost ten times as much as the answer. */
export function readProcTable(listPids = listProc): readonly ProcessRow[] {
  const known = new Set<string>();
  const rows: (ProcessRow | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const born = listPids().filter((pid) => !known.has(pid));
    if (born.length === 0) break;
    for (const pid of born) known.add(pid);
    rows.push(...born.map(readRow));
  }
  return rows.filter((row) => row !== undefined);
}

/** Reads the table on systems without /proc. Only environments of our own user's processes can be read, and not always. */
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

/** Reads the line of one process only, which is a thousand times cheaper than the table. */
export function readProcStat(pid: number): ProcStat | undefined {
  return parseStat(readOrNothing(`/proc/${pid}/stat`));
}

/**
 * The format is `pid (name) state ppid pgrp session … utime stime cutime cstime … starttime …`. The name may hold spaces and
 * parentheses.
 */
export function parseStat(stat: string): ProcStat | undefined {
  const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined || state === "Z" || state === "X") return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    name,
    started,
    cpuTicks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0),
  };
}

function listProc(): readonly string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

function readRow(pid: string): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  if ((flagsIn(stat) & KERNEL_THREAD) !== 0) return undefined;
  const row = parseStat(stat);
  return row && { ...row, runId: runIdIn(readOrNothing(`/proc/${pid}/environ`)) };
}

function flagsIn(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 7)[6] ?? 0);
}

function runIdIn(environ: string): string | undefined {
  const marked = `\0${RUN_MARKER}=`;
  const entries = `\0${environ}`;
  const at = entries.indexOf(marked);
  return at < 0 ? undefined : entries.slice(at + marked.length).split("\0", 1)[0];
}

/** Errors count as empty: a process may end while it is looked at, and we may not read another user's environment. */
function readOrNothing(path: string): string {
  try {
    return readWhole(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

/** Reads until nothing comes any more, because files in /proc have no size. */
function readWhole(path: string): string {
  const file = openSync(path, "r");
  try {
    const decoder = new StringDecoder("utf8");
    let text = "";
    for (;;) {
      const length = readSync(file, chunk);
      if (length === 0) return text + decoder.end();
      text += decoder.write(chunk.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
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

/** The format is `[days-][hours:]minutes:seconds[.hundredths]`. */
function ticksOf(time: string): number {
  const [clock = "", days = "0"] = time.split("-").reverse();
  const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 100);
}

function runIdOf(line: string): readonly (readonly [number, string])[] {
  const runId = new RegExp(`\\s${RUN_MARKER}=(\\S+)`).exec(line)?.[1];
  return runId === undefined ? [] : [[Number.parseInt(line, 10), runId]];
}

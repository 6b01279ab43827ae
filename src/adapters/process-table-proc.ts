import { readdir, readFile } from "node:fs/promises";
import { RUN_MARKER, type ProcessRow } from "./process-row.ts";

// On a loaded machine a reading takes longer than a process that replaces itself lives: whoever began meanwhile is read, too.
const ROUNDS = 5;

export async function readProcTable(listPids = listProc): Promise<readonly ProcessRow[]> {
  const known = new Set<string>();
  const rows: (ProcessRow | undefined)[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const born = (await listPids()).filter((pid) => !known.has(pid));
    if (born.length === 0) break;
    for (const pid of born) known.add(pid);
    rows.push(...(await Promise.all(born.map(readRow))));
  }
  return rows.filter((row) => row !== undefined);
}

async function listProc(): Promise<readonly string[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
}

/** Only its own line: a thousand times cheaper than the table. */
export async function readProcStat(pid: number): Promise<ProcStat | undefined> {
  return parseStat(await readOrNothing(`/proc/${pid}/stat`));
}

type ProcStat = Omit<ProcessRow, "runId">;

async function readRow(pid: string): Promise<ProcessRow | undefined> {
  const [stat, environ] = await Promise.all([
    readOrNothing(`/proc/${pid}/stat`),
    readOrNothing(`/proc/${pid}/environ`),
  ]);
  const row = parseStat(stat);
  return row && { ...row, runId: runIdIn(environ) };
}

/** `pid (name) state ppid pgrp session … utime stime cutime cstime … starttime …`; the name may hold spaces and parentheses. */
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

function runIdIn(environ: string): string | undefined {
  const prefix = `${RUN_MARKER}=`;
  return environ
    .split("\0")
    .find((entry) => entry.startsWith(prefix))
    ?.slice(prefix.length);
}

/** A process may end while it is looked at, and another user's environment is not ours to read. */
function readOrNothing(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

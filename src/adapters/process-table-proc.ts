import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { RUN_MARKER, type ProcessRow } from "./process-row.ts";

// On a loaded machine a reading takes longer than a process that replaces itself lives: whoever began meanwhile is read, too.
const ROUNDS = 5;
const CHUNK_BYTES = 1 << 16;

/** The kernel answers from memory: waiting for a thread would cost ten times what the answer does. */
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

function listProc(): readonly string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

/** Only its own line: a thousand times cheaper than the table. */
export function readProcStat(pid: number): ProcStat | undefined {
  return parseStat(readOrNothing(`/proc/${pid}/stat`));
}

type ProcStat = Omit<ProcessRow, "runId">;

/** Nothing that we started is a thread of the kernel, and these are most of what a quiet host has. */
const KERNEL_THREAD = 0x0020_0000;

function readRow(pid: string): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  if ((flagsIn(stat) & KERNEL_THREAD) !== 0) return undefined;
  const row = parseStat(stat);
  return row && { ...row, runId: runIdIn(readOrNothing(`/proc/${pid}/environ`)) };
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

function flagsIn(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ", 7)[6] ?? 0);
}

function runIdIn(environ: string): string | undefined {
  const marked = `\0${RUN_MARKER}=`;
  const entries = `\0${environ}`;
  const at = entries.indexOf(marked);
  return at < 0 ? undefined : entries.slice(at + marked.length).split("\0", 1)[0];
}

/** A process may end while it is looked at, and another user's environment is not ours to read. */
function readOrNothing(path: string): string {
  try {
    return readWhole(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

// One for all readings: each ends before the next begins.
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

/** Until nothing comes any more: files here have no size. */
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

import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, readlink, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { createProcesses } from "../../src/adapters/process/create-processes.ts";
import { readProcessTable } from "../../src/adapters/process/process-table.ts";
import type { CommandLimits, CommandRequest, Processes } from "../../src/ports/processes.ts";

/** What commands are put into: nothing, unless a test file says otherwise. */
let hold: ((argv: readonly string[]) => readonly string[]) | undefined;

/** Puts the commands of every test that follows into a namespace, where their numbers are not the host's. */
export function holdCommandsIn(wrap: (argv: readonly string[]) => readonly string[]): void {
  hold = wrap;
}

export function commandsAreHeld(): boolean {
  return hold !== undefined;
}

const AGENTS = resolve(import.meta.dirname, "fake-agents");

/** A folder in which commands run and after each test of which nothing is left alive. */
export class CommandBench {
  folder = "";
  processes: Processes = createProcesses({ folder: "" });

  get marker(): string {
    return `test-${this.folder}`;
  }

  get work(): string {
    return join(this.folder, "work");
  }

  get runs(): string {
    return join(this.folder, "runs");
  }

  get logPath(): string {
    return join(this.folder, "logs", "run.log");
  }

  async open(): Promise<void> {
    this.folder = await realpath(await mkdtemp(join(tmpdir(), "wavetrain-process-")));
    this.processes = createProcesses({ folder: this.runs, graceMs: 200, sampleMs: 1000 });
    await mkdir(this.work);
  }

  async close(): Promise<void> {
    const left = new Set([...(await this.pids()).filter(isAlive), ...(await this.marked())]);
    if (process.platform === "linux") for (const pid of await this.inFolder()) left.add(pid);
    for (const pid of left) process.kill(pid, "SIGKILL");
    await rm(this.folder, { recursive: true });
    expect([...left]).toEqual([]);
  }

  request(command: string, more: Partial<CommandRequest> = {}): CommandRequest {
    const { command: argv = ["/bin/sh", "-c", command] } = more;
    return {
      id: "command",
      cwd: this.work,
      env: { PATH: process.env["PATH"] ?? "", WAVETRAIN_RUN_ID: this.marker },
      stdin: "",
      logPath: this.logPath,
      limits: limits(),
      signal: new AbortController().signal,
      ...more,
      command: hold?.(argv) ?? argv,
    };
  }

  log(): Promise<string> {
    return readFile(this.logPath, "utf8");
  }

  async logSize(): Promise<number> {
    return (await stat(this.logPath)).size;
  }

  /** What a fake agent says that it started; NaN for one that was in a namespace and is gone. */
  async pids(): Promise<readonly number[]> {
    const text = await readFile(join(this.work, "pids"), "utf8").catch(() => "");
    const told = text.split("\n").filter(Boolean).map(Number);
    if (hold === undefined) return told;
    const inside = await Promise.all((await this.inFolder()).map(numberInside));
    return told.map((number) => inside.find((one) => one.inside === number)?.pid ?? NaN);
  }

  /** Whoever works in this folder, whatever else it did to hide; Linux only. */
  async inFolder(): Promise<readonly number[]> {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => {
        const place = await readlink(`/proc/${pid}/cwd`).catch(() => "");
        return place.startsWith(this.folder) ? [Number(pid)] : [];
      }),
    );
    return found.flat();
  }

  /** Whoever bears the marker of a command of this folder. */
  async marked(): Promise<readonly number[]> {
    const rows = await readProcessTable();
    return rows.filter(({ runId }) => runId?.startsWith(this.marker)).map(({ pid }) => pid);
  }
}

async function numberInside(
  pid: number,
): Promise<{ readonly pid: number; readonly inside: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return { pid, inside: Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]) };
}

export function useCommandBench(): CommandBench {
  const bench = new CommandBench();
  beforeEach(() => bench.open());
  afterEach(() => bench.close());
  return bench;
}

export function limits(more: Partial<CommandLimits> = {}): CommandLimits {
  return { wallMs: 60_000, maxLogBytes: 1 << 20, ...more };
}

/** A shell command that becomes the fake agent. */
export function agent(name: string, args = ""): string {
  return `exec '${process.execPath}' '${AGENTS}/${name}' ${args}`;
}

/** A zombie is not alive: it only waits for its parent to look. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { createProcesses } from "../../src/adapters/process.ts";
import { readProcessTable } from "../../src/adapters/process-table.ts";
import type { CommandLimits, CommandRequest, Processes } from "../../src/ports/processes.ts";

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
    const marked = await this.marked();
    const left = [...(await this.pids()).filter(isAlive), ...marked];
    for (const pid of left) process.kill(pid, "SIGKILL");
    await rm(this.folder, { recursive: true });
    expect(left).toEqual([]);
  }

  request(command: string, more: Partial<CommandRequest> = {}): CommandRequest {
    return {
      id: "command",
      command: ["/bin/sh", "-c", command],
      cwd: this.work,
      env: { PATH: process.env["PATH"] ?? "", WAVETRAIN_RUN_ID: this.marker },
      stdin: "",
      logPath: this.logPath,
      limits: limits(),
      signal: new AbortController().signal,
      ...more,
    };
  }

  log(): Promise<string> {
    return readFile(this.logPath, "utf8");
  }

  async logSize(): Promise<number> {
    return (await stat(this.logPath)).size;
  }

  /** What a fake agent says that it started. */
  async pids(): Promise<readonly number[]> {
    const text = await readFile(join(this.work, "pids"), "utf8").catch(() => "");
    return text.split("\n").filter(Boolean).map(Number);
  }

  /** Whoever bears the marker of a command of this folder. */
  async marked(): Promise<readonly number[]> {
    const rows = await readProcessTable();
    return rows.filter(({ runId }) => runId?.startsWith(this.marker)).map(({ pid }) => pid);
  }
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

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const TICK_MS = 10;
const LOOK_EVERY_MS = 50;

export interface ServerCommand {
  readonly program: string;
  readonly config: string;
  readonly port: number;
  readonly log: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessorTime {
  readonly ownMs: number;
  /** Of its children and theirs, agents included, as far as they have ended. */
  readonly childrenMs: number;
}

/** `wavetrain start`, as people start it. */
export class ServerProcess {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves when it answers. */
  static async start(command: ServerCommand): Promise<ServerProcess> {
    const log = await open(command.log, "a");
    const child = spawn(process.execPath, [command.program, "start", "--config", command.config], {
      env: command.environment,
      stdio: ["ignore", log.fd, log.fd],
    });
    await log.close();
    while (!(await answers(command.port))) {
      if (child.exitCode !== null) throw new Error(`the server ended by itself: ${command.log}`);
      await pause(LOOK_EVERY_MS);
    }
    return new ServerProcess(child);
  }

  processorTime(): ProcessorTime {
    const text = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8");
    // The name, in brackets, may have spaces in it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = (from: number): number => Number(fields[from]) + Number(fields[from + 1]);
    return { ownMs: TICK_MS * ticks(11), childrenMs: TICK_MS * ticks(13) };
  }

  residentMegabytes(): number {
    const text = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) / 1024;
  }

  /** Throws when it is gone: what waits for it would wait for ever. */
  mustRun(): void {
    const { exitCode, signalCode } = this.#process;
    if ((exitCode ?? signalCode) !== null)
      throw new Error(`the server ended by itself (${signalCode ?? exitCode}): see server.log`);
  }

  async stop(): Promise<void> {
    if ((this.#process.exitCode ?? this.#process.signalCode) !== null) return;
    this.#process.kill("SIGTERM");
    await once(this.#process, "exit");
  }
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ping`).then(
    (response) => response.ok,
    () => false,
  );
}

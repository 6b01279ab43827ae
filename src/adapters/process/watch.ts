import type { CommandEnd, CommandRequest } from "../../ports/processes.ts";
import type { CommandRecord, RunFolder } from "./command-folder.ts";
import { LineReader, logSizeOf } from "./command-log.ts";
import { DiskWatch } from "./disk-use.ts";
import type { DiskPace } from "./disk-use.ts";
import type { ProcessTree } from "./sweep.ts";

const LOOK_MS = 250;
// A program can write a gigabyte per second. While the log grows fast, we look more often, before it fills the disk.
const FLOOD_LOOK_MS = 25;
const FLOOD_BYTES = 1 << 20;
// This is short enough to see a process that works for a while before it hides.
const OBSERVE_MS = 1000;
const DEFAULT_MAX_PROCESSES = 512;
// One missed look is not enough: it could be the moment between the shim's last write and its end.
const MISSED_LOOKS = 2;

const OVER: readonly CommandEnd["kind"][] = ["exited", "killed", "vanished", "lost"];

export interface Watched {
  readonly request: CommandRequest;
  readonly record: CommandRecord;
  readonly folder: RunFolder;
  readonly tree: ProcessTree;
  /** This says whether the command was alive when we began to look. */
  readonly wasAlive: boolean;
  /** This rings when there is something to see before the next look. */
  readonly alarm: Alarm;
  readonly sampleMs: number;
  readonly diskPace: DiskPace;
  /** This is aborted when the command must not be followed any more. */
  readonly left: AbortSignal;
}

/** Answers how the command ended, or why it has to be stopped now. */
export async function watchCommand(watched: Watched): Promise<CommandEnd> {
  const watch = new CommandWatch(watched, logSizeOf(watched.record));
  try {
    while (!watched.left.aborted) {
      const end = await watch.look();
      if (end !== undefined) return end;
      await watched.alarm.wait(watch.pauseMs);
    }
  } finally {
    watch.close();
  }
  return new Promise<never>(() => undefined);
}

export function isOver(end: CommandEnd): boolean {
  return OVER.includes(end.kind);
}

/** Makes pauses that can be cut short. Once it has rung, it stays rung. */
export class Alarm {
  #rung = false;
  #wake = (): void => undefined;

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake();
  };

  wait(ms: number): Promise<void> {
    if (this.#rung) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

class CommandWatch {
  readonly #watched: Watched;
  readonly #idle: IdleWatch;
  readonly #disk: DiskWatch;
  #logSize: number;
  #missed = 0;
  #observedAt = -Infinity;
  pauseMs = LOOK_MS;

  constructor(watched: Watched, logSize: number) {
    const { request, tree, sampleMs } = watched;
    this.#watched = watched;
    this.#logSize = logSize;
    this.#disk = new DiskWatch(request.limits.disk, watched.diskPace);
    this.#idle = new IdleWatch({ request, logSize, sampleMs, cpuTicks: () => tree.cpuTicks() });
  }

  async look(): Promise<CommandEnd | undefined> {
    const { request, folder } = this.#watched;
    const exit = await folder.exit();
    if (exit !== undefined) return exit;
    if (request.signal.aborted) return { kind: "cancelled" };
    return (
      (await this.#checkAlive()) ??
      this.#checkLog() ??
      this.#checkTime() ??
      this.#disk.look() ??
      (await this.#checkProcesses()) ??
      (await this.#idle.look(this.#logSize))
    );
  }

  close(): void {
    this.#disk.close();
  }

  async #checkAlive(): Promise<CommandEnd | undefined> {
    const { tree, folder, wasAlive } = this.#watched;
    this.#missed = (await tree.isRootAlive()) ? 0 : this.#missed + 1;
    if (this.#missed < MISSED_LOOKS) return undefined;
    return (await folder.exit()) ?? { kind: wasAlive ? "vanished" : "lost" };
  }

  #checkLog(): CommandEnd | undefined {
    const { record, request } = this.#watched;
    const size = logSizeOf(record);
    this.pauseMs = size - this.#logSize > FLOOD_BYTES ? FLOOD_LOOK_MS : LOOK_MS;
    this.#logSize = size;
    const written = size - record.logStart;
    return written > request.limits.maxLogBytes ? { kind: "output-limit" } : undefined;
  }

  /** This uses the time of day, because the time also runs while nobody watches. */
  #checkTime(): CommandEnd | undefined {
    const { record, request } = this.#watched;
    return Date.now() - record.startedAt > request.limits.wallMs
      ? { kind: "timed-out" }
      : undefined;
  }

  async #checkProcesses(): Promise<CommandEnd | undefined> {
    const { request, tree } = this.#watched;
    const now = performance.now();
    if (now - this.#observedAt < OBSERVE_MS) return undefined;
    this.#observedAt = now;
    const { maxProcesses = DEFAULT_MAX_PROCESSES } = request.limits;
    return (await tree.observe()) > maxProcesses ? { kind: "process-limit" } : undefined;
  }
}

// This is a share of one core. A program that waits wakes up now and then; one that works uses far more.
const BUSY_SHARE = 0.02;
const TICKS_PER_MS = 0.1;

interface IdleOptions {
  readonly request: Pick<CommandRequest, "limits" | "isProgress" | "logPath">;
  /** The log had this many bytes when watching began. */
  readonly logSize: number;
  /** The processor time is looked at twice, this far apart. */
  readonly sampleMs: number;
  readonly cpuTicks: () => Promise<number>;
}

/** Tells a command that hangs from one that is silent because it works. */
class IdleWatch {
  readonly #options: IdleOptions;
  readonly #lines: LineReader;
  #logSize: number;
  #progressAt = performance.now();
  #quietSince = performance.now();
  #sample: { readonly at: number; readonly ticks: number } | undefined;

  constructor(options: IdleOptions) {
    this.#options = options;
    this.#logSize = options.logSize;
    this.#lines = new LineReader(options.request.logPath, options.logSize);
  }

  async look(logSize: number): Promise<CommandEnd | undefined> {
    const { idleMs } = this.#options.request.limits;
    if (idleMs === undefined) return undefined;
    if (await this.#hasProgress(logSize)) this.#extend("progress");
    if (performance.now() - this.#quietSince < idleMs) return undefined;
    if ((await this.#activity()) !== "none") return undefined;
    return { kind: "stalled", afterMs: Math.round(performance.now() - this.#progressAt) };
  }

  async #hasProgress(logSize: number): Promise<boolean> {
    const { isProgress } = this.#options.request;
    const grown = logSize > this.#logSize;
    this.#logSize = logSize;
    if (isProgress === undefined) return grown;
    return (await this.#lines.read(logSize)).some((line) => isProgress(line));
  }

  async #activity(): Promise<"none" | "busy" | "unknown"> {
    const now = performance.now();
    if (this.#sample === undefined) {
      this.#sample = { at: now, ticks: await this.#options.cpuTicks() };
      return "unknown";
    }
    const elapsedMs = now - this.#sample.at;
    if (elapsedMs < this.#options.sampleMs) return "unknown";
    const used = (await this.#options.cpuTicks()) - this.#sample.ticks;
    if (used < elapsedMs * TICKS_PER_MS * BUSY_SHARE) return "none";
    this.#extend("work");
    return "busy";
  }

  #extend(why: "progress" | "work"): void {
    this.#quietSince = performance.now();
    if (why === "progress") this.#progressAt = this.#quietSince;
    this.#sample = undefined;
  }
}

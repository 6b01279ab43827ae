import type { CommandEnd, CommandRequest } from "../../ports/processes.ts";
import { LineReader } from "./command-log.ts";

// This is a share of one core. A program that waits wakes up now and then; one that works uses far more.
const BUSY_SHARE = 0.02;
const TICKS_PER_MS = 0.1;

export interface IdleOptions {
  readonly request: Pick<CommandRequest, "limits" | "isProgress" | "logPath">;
  /** The log had this many bytes when watching began. */
  readonly logSize: number;
  /** The processor time is looked at twice, this far apart. */
  readonly sampleMs: number;
  readonly cpuTicks: () => Promise<number>;
}

/** Tells a command that hangs from one that is silent because it works. */
export class IdleWatch {
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

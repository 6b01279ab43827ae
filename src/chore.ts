import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";

export interface ChoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** As in "cannot NAME". */
  readonly name: string;
  readonly firstAfterMs: number;
  readonly everyMs: number;
  readonly work: () => Promise<void>;
}

/** Something that is done again and again beside the ticks. Its failures cost a line in the log, never the app. */
export class Chore {
  readonly #options: ChoreOptions;
  #cancelTimer = (): void => undefined;
  #underWay: Promise<void> = Promise.resolve();
  #busy = false;
  #stopped = false;
  #trouble: string | undefined;

  constructor(options: ChoreOptions) {
    this.#options = options;
  }

  get busy(): boolean {
    return this.#busy;
  }

  start(): void {
    this.#setTimer(this.#options.firstAfterMs);
  }

  /** Resolves when it is not under way. */
  idle(): Promise<void> {
    return this.#underWay;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#underWay;
  }

  #setTimer(delayMs: number): void {
    if (this.#stopped) return;
    if (delayMs === 0) this.#begin();
    else this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#begin());
  }

  #begin(): void {
    this.#busy = true;
    this.#underWay = this.#work().finally(() => {
      this.#busy = false;
      this.#setTimer(this.#options.everyMs);
    });
  }

  async #work(): Promise<void> {
    const { log, name, work } = this.#options;
    try {
      await work();
      if (this.#trouble !== undefined) log.info({ chore: name }, "chore recovered");
      this.#trouble = undefined;
    } catch (err) {
      const words = err instanceof Error ? err.message : String(err);
      // What GitHub refuses it refuses for days: one line when it begins, one when it ends.
      if (words === this.#trouble) log.debug({ chore: name, err }, "chore failed again");
      else log.warn({ chore: name, err }, "chore failed");
      this.#trouble = words;
    }
  }
}

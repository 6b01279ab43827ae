import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { Trouble } from "../shared/trouble.ts";

export interface PeriodicTaskOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** It is a verb phrase, as in "cannot NAME". */
  readonly name: string;
  readonly firstAfterMs: number;
  readonly everyMs: number;
  readonly work: () => Promise<void>;
}

/** It is done again and again beside the ticks. Its failures cost a line in the log, never the app. */
export class PeriodicTask {
  readonly #options: PeriodicTaskOptions;
  #cancelTimer = (): void => undefined;
  #underWay: Promise<void> = Promise.resolve();
  #busy = false;
  #stopped = false;
  readonly #trouble = new Trouble();

  constructor(options: PeriodicTaskOptions) {
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
    const { log, name, work, clock } = this.#options;
    try {
      await work();
      if (this.#trouble.end()) log.info({ periodicTask: name }, "periodic task recovered");
    } catch (err) {
      const { isWorthALine, times } = this.#trouble.meet(err, clock.now());
      const line = { periodicTask: name, times, err };
      if (isWorthALine) log.warn(line, "periodic task failed");
      else log.debug(line, "periodic task failed again");
    }
  }
}

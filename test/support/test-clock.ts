import { instant } from "../../src/domain/ids.ts";
import type { Instant } from "../../src/domain/ids.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { NOW } from "./builders.ts";

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that stands still until it is told to go on. */
export class TestClock implements Clock {
  #now: number = NOW;
  readonly #timers = new Set<Timer>();

  readonly now = (): Instant => instant(this.#now);

  after(delayMs: number, fire: () => void): () => void {
    const timer = { at: this.#now + delayMs, fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How long each timer still has to go. */
  get waiting(): readonly number[] {
    return [...this.#timers].map(({ at }) => at - this.#now);
  }

  /** Lets time pass, timer by timer, and whatever they set going. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fire();
      await this.settle();
    }
    this.#now = end;
  }

  /** The operator sets the clock: timers go on as they were. */
  jump(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      this.#timers.delete(timer);
      this.#timers.add({ ...timer, at: timer.at + ms });
    }
  }

  /** Fires every timer although its time by this clock may not have come. */
  async fireAll(): Promise<void> {
    const timers = [...this.#timers];
    this.#timers.clear();
    for (const { fire } of timers) fire();
    await this.settle();
  }

  /** Everything that is ready to go on has gone on. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.toSorted((a, b) => a.at - b.at)[0];
  }
}

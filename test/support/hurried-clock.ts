import { createClock } from "../../src/adapters/host/clock.ts";
import { instant } from "../../src/domain/ids.ts";
import type { Instant } from "../../src/domain/ids.ts";
import type { Clock } from "../../src/ports/clock.ts";

interface Timer {
  readonly at: number;
  readonly fire: () => void;
  cancel: () => void;
}

/** Goes like every clock, but for the time that a test skips. */
export class HurriedClock implements Clock {
  readonly #host = createClock();
  readonly #timers = new Set<Timer>();
  #skippedMs = 0;

  readonly now = (): Instant => instant(this.#host.now() + this.#skippedMs);

  readonly after = (delayMs: number, fire: () => void): (() => void) => {
    const timer: Timer = { at: this.now() + delayMs, fire, cancel: () => undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => {
      timer.cancel();
      this.#timers.delete(timer);
    };
  };

  /** Whatever is due by then happens at once, in its order. */
  skip(ms: number): void {
    this.#skippedMs += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      timer.cancel();
      this.#arm(timer);
    }
  }

  /** Resolves when all that is due has been woken. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => this.#host.after(0, resolve));
  }

  #arm(timer: Timer): void {
    timer.cancel = this.#host.after(Math.max(0, timer.at - this.now()), () => {
      this.#timers.delete(timer);
      timer.fire();
    });
  }
}

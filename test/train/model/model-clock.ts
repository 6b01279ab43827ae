import { instant } from "../../../src/domain/ids.ts";
import type { Instant } from "../../../src/domain/ids.ts";

/** Time goes on only when the schedule says so. */
export class ModelClock {
  now: Instant = instant(1_700_000_000_000);
  readonly #timers = new Set<() => void>();

  after(fire: () => void): () => void {
    this.#timers.add(fire);
    return () => this.#timers.delete(fire);
  }

  pass(ms: number): void {
    this.now = instant(this.now + ms);
    const due = [...this.#timers];
    this.#timers.clear();
    for (const fire of due) fire();
  }
}

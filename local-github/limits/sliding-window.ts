interface Use {
  readonly at: number;
  readonly amount: number;
}

/** Allows at most `limit` within any stretch of `lengthMs`. */
export class SlidingWindow {
  readonly #uses: Use[] = [];
  readonly #limit: number;
  readonly #lengthMs: number;
  #used = 0;

  constructor(limit: number, lengthMs: number) {
    this.#limit = limit;
    this.#lengthMs = lengthMs;
  }

  add(amount: number, now: number): void {
    if (amount === 0) return;
    this.#uses.push({ at: now, amount });
    this.#used += amount;
  }

  /** Says how long it takes until the amount fits: 0 when it does now, the whole length when it never will. */
  waitMs(amount: number, now: number): number {
    this.#forgetUntil(now - this.#lengthMs);
    let excess = amount === 0 ? 0 : this.#used + amount - this.#limit;
    if (excess <= 0) return 0;
    for (const use of this.#uses) {
      excess -= use.amount;
      if (excess <= 0) return use.at + this.#lengthMs - now;
    }
    return this.#lengthMs;
  }

  #forgetUntil(time: number): void {
    const kept = this.#uses.findIndex(({ at }) => at > time);
    const gone = this.#uses.splice(0, kept < 0 ? this.#uses.length : kept);
    for (const { amount } of gone) this.#used -= amount;
  }
}

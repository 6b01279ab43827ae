/** A trouble that lasts is said again after this time: who looks at a log of today should not have to find the line of last week. */
const SAY_AGAIN_AFTER_MS = 10 * 60_000;

export interface Met {
  /** It is worth a line: it is another trouble than the one before, or it was last said long ago. */
  readonly isWorthALine: boolean;
  /** It came so often in a row, this time included. */
  readonly times: number;
}

/** Tells a trouble that is new from one that goes on, so that a log gets a line when it begins, one now and then, and one when it ends. */
export class Trouble {
  #words: string | undefined;
  #times = 0;
  #saidAt = 0;

  meet(error: unknown, now: number): Met {
    const words = error instanceof Error ? error.message : String(error);
    const isSame = words === this.#words;
    this.#words = words;
    this.#times = isSame ? this.#times + 1 : 1;
    const isWorthALine = !isSame || now - this.#saidAt >= SAY_AGAIN_AFTER_MS;
    if (isWorthALine) this.#saidAt = now;
    return { isWorthALine, times: this.#times };
  }

  /** Returns whether there was any. */
  end(): boolean {
    const was = this.#words !== undefined;
    this.#words = undefined;
    return was;
  }
}

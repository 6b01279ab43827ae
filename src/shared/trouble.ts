/** Tells a trouble that is new from one that goes on, so that a log gets one line when it begins and one when it ends. */
export class Trouble {
  #words: string | undefined;

  /** Returns whether it is another trouble than the one before. */
  isNew(error: unknown): boolean {
    const words = error instanceof Error ? error.message : String(error);
    const isSame = words === this.#words;
    this.#words = words;
    return !isSame;
  }

  /** Returns whether there was any. */
  end(): boolean {
    const was = this.#words !== undefined;
    this.#words = undefined;
    return was;
  }
}

/** The last answer to each question, for the knob that makes a read answer what it answered before. */
export class StaleAnswers<T> {
  readonly #last = new Map<string, T>();
  /** Enough for every question of a test; the oldest goes first. */
  readonly #capacity = 200;

  recall(question: string): T | undefined {
    return this.#last.get(question);
  }

  remember(question: string, answer: T): void {
    this.#last.delete(question);
    this.#last.set(question, answer);
    const [oldest] = this.#last.keys();
    if (this.#last.size > this.#capacity && oldest !== undefined) this.#last.delete(oldest);
  }
}

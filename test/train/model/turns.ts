/** What becomes of one call of a port: it works, fails before or after its effect, or its caller dies having made it. */
export type Fate = "works" | "fails-before" | "fails-after" | "dies-after";

interface Waiting {
  readonly who: string;
  readonly what: string;
  readonly go: (fate: Fate) => void;
}

/** Every call of every port waits here for its turn: who goes next, and how it ends, is the schedule's choice. */
export class Turns {
  readonly #waiting: Waiting[] = [];
  readonly #gone = new Set<string>();
  /** Everything goes at once, and well. */
  calm = false;

  async wait(who: string, what: string): Promise<Fate> {
    if (this.#gone.has(who)) return new Promise(() => undefined);
    if (this.calm) return "works";
    return new Promise((go) => this.#waiting.push({ who, what, go }));
  }

  get waiting(): readonly Pick<Waiting, "who" | "what">[] {
    return this.#waiting;
  }

  release(at: number, fate: Fate): void {
    const [next] = this.#waiting.splice(at, 1);
    next?.go(fate);
  }

  releaseAll(): void {
    for (const next of this.#waiting.splice(0)) next.go("works");
  }

  /** Whatever it waits for never comes, as after `kill -9`. */
  kill(who: string): void {
    this.#gone.add(who);
    const kept = this.#waiting.filter((one) => one.who !== who);
    this.#waiting.splice(0, this.#waiting.length, ...kept);
  }
}

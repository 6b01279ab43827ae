import { setImmediate as flush } from "node:timers/promises";

/** Calls that take their time: one step of a schedule is over when none is left. */
export class InFlight {
  #count = 0;
  #landed: (() => void)[] = [];

  async track<T>(call: () => T | Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await call();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const go of this.#landed.splice(0)) go();
    }
  }

  async settled(): Promise<void> {
    do {
      if (this.#count > 0) await new Promise<void>((go) => this.#landed.push(go));
      await flush();
    } while (this.#count > 0);
  }
}

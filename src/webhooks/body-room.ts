/** A body that is being received. */
export interface BodyPlace {
  add(bytes: number): void;
  leave(): void;
}

interface Held {
  bytes: number;
  readonly giveUp: () => void;
}

/** Bounds what bodies under way hold together: when it is too much, the one that has been coming for longest is given up. */
export class BodyRoom {
  readonly #limit: number;
  readonly #held = new Set<Held>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  enter(giveUp: () => void): BodyPlace {
    const held: Held = { bytes: 0, giveUp };
    this.#held.add(held);
    return {
      add: (bytes) => {
        if (!this.#held.has(held)) return;
        held.bytes += bytes;
        this.#bytes += bytes;
        this.#makeRoom();
      },
      leave: () => this.#remove(held),
    };
  }

  #makeRoom(): void {
    for (const oldest of this.#held) {
      if (this.#bytes <= this.#limit) return;
      this.#remove(oldest);
      oldest.giveUp();
    }
  }

  #remove(held: Held): void {
    if (this.#held.delete(held)) this.#bytes -= held.bytes;
  }
}

import type { FinishingLoad } from "../domain/finishing-load.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";

/** One run's place in the room. */
export interface FinishingPlace {
  /** The change is safe on GitHub: the next in line goes on, this run only waits for its pull request. */
  readonly pushed: () => void;
  /** Whatever became of it. May be called more than once. */
  readonly leave: () => void;
}

/** Room for what follows an agent, beside the slots: a few at a time, in the order in which the agents ended. */
export class FinishingRoom {
  readonly #places: number;
  readonly #now: () => Instant;
  readonly #line: (() => void)[] = [];
  readonly #publishing = new Map<FinishingPlace, Instant>();
  #inside = 0;

  constructor(places: number, now: () => Instant) {
    this.#places = places;
    this.#now = now;
  }

  get load(): FinishingLoad {
    const times = [...this.#publishing.values()];
    return {
      finishing: this.#inside + this.#line.length,
      publishing: times.length,
      publishingSince: times.length === 0 ? undefined : instant(Math.min(...times)),
    };
  }

  /** Resolves when it is the caller's turn. */
  async enter(): Promise<FinishingPlace> {
    if (this.#inside >= this.#places) await new Promise<void>((go) => this.#line.push(go));
    else this.#inside += 1;
    return this.#newPlace();
  }

  #newPlace(): FinishingPlace {
    let inside = true;
    const makeRoom = (): void => {
      if (!inside) return;
      inside = false;
      const next = this.#line.shift();
      // Whoever is let in takes over the place: nobody who comes meanwhile can get ahead.
      if (next === undefined) this.#inside -= 1;
      else next();
    };
    const place: FinishingPlace = {
      pushed: () => {
        if (inside) this.#publishing.set(place, this.#now());
        makeRoom();
      },
      leave: () => {
        makeRoom();
        this.#publishing.delete(place);
      },
    };
    return place;
  }
}

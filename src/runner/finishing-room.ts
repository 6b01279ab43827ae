import type { FinishingLoad } from "../domain/finishing-load.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Clock } from "../ports/clock.ts";

/** One run's place in the room. */
export interface FinishingPlace {
  /** The change is safe on GitHub: the next in line goes on, this run only waits for its pull request. */
  readonly pushed: () => void;
  /** Whatever became of it. May be called more than once. */
  readonly leave: () => void;
}

/** A start takes no longer, unless it prepares its workspace first; nobody waits for that. */
const LONGEST_START_MS = 500;

/** Room for what follows an agent, beside the slots: a few at a time, in the order in which the agents ended. */
export class FinishingRoom {
  readonly #places: number;
  readonly #clock: Clock;
  readonly #line: (() => void)[] = [];
  readonly #publishing = new Map<FinishingPlace, Instant>();
  readonly #starts = new Set<object>();
  #inside = 0;

  constructor(places: number, clock: Clock) {
    this.#places = places;
    this.#clock = clock;
  }

  get load(): FinishingLoad {
    const times = [...this.#publishing.values()];
    return {
      finishing: this.#inside + this.#line.length,
      publishing: times.length,
      publishingSince: times.length === 0 ? undefined : instant(Math.min(...times)),
    };
  }

  /**
   * A slot is about to be filled: nobody is let in until that is done, or a moment has passed. Both need the processor, and a
   * slot that waits costs more than a change that waits.
   */
  startFirst(withinMs = LONGEST_START_MS): () => void {
    const start = {};
    this.#starts.add(start);
    const cancelTimer = this.#clock.after(withinMs, () => this.#started(start));
    return () => {
      cancelTimer();
      this.#started(start);
    };
  }

  /** Resolves when it is the caller's turn. */
  async enter(): Promise<FinishingPlace> {
    await new Promise<void>((go) => {
      this.#line.push(go);
      this.#letIn();
    });
    return this.#newPlace();
  }

  #started(start: object): void {
    this.#starts.delete(start);
    this.#letIn();
  }

  #letIn(): void {
    while (this.#inside < this.#places && this.#starts.size === 0) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#inside += 1;
      next();
    }
  }

  #newPlace(): FinishingPlace {
    let inside = true;
    const makeRoom = (): void => {
      if (!inside) return;
      inside = false;
      this.#inside -= 1;
      this.#letIn();
    };
    const place: FinishingPlace = {
      pushed: () => {
        if (inside) this.#publishing.set(place, this.#clock.now());
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

import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { FinishingLoad } from "../domain/run.ts";
import type { Clock } from "../ports/clock.ts";
import type { FinishingPlace, FinishingRoom } from "../ports/finishing-room.ts";

/** A start takes no longer than this, unless it prepares its workspace first, and nobody waits for that. */
const MAX_START_MS = 500;

export function createFinishingRoom(places: number, clock: Clock): FinishingRoom {
  return new LineBeforeRoom(places, clock);
}

class LineBeforeRoom implements FinishingRoom {
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

  startFirst(withinMs = MAX_START_MS): () => void {
    const start = {};
    this.#starts.add(start);
    const cancelTimer = this.#clock.after(withinMs, () => this.#started(start));
    return () => {
      cancelTimer();
      this.#started(start);
    };
  }

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

import { followQueues } from "../actions/pulls/merge-queue.ts";
import type { WorldEvent } from "../model/event.ts";
import type { World } from "../model/world.ts";

/** Moves the merge queues on, in the background, after every event that they may wait for. */
export class QueueFollower {
  readonly #world: World;
  readonly #underWay = new Set<Promise<void>>();

  constructor(world: World) {
    this.#world = world;
  }

  follow(event: WorldEvent): void {
    const work = followQueues(this.#world, event).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}

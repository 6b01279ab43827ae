import type { FinishingLoad } from "../domain/run.ts";

/** This is one run's place in the room. */
export interface FinishingPlace {
  /** Says that the change is safe on GitHub. The next run may enter, while this one only waits for its pull request. */
  readonly pushed: () => void;
  /** Gives the place back, whatever became of the change. It may be called more than once. */
  readonly leave: () => void;
}

/** Limits the work that follows an agent, which takes no slot: a few runs at a time, in the order in which the agents ended. */
export interface FinishingRoom {
  readonly load: FinishingLoad;
  /**
   * Says that a slot is about to be filled: nobody may enter until that is done or a moment has passed. Both need the processor,
   * and a slot that waits costs more than a change that waits.
   */
  startFirst(withinMs?: number): () => void;
  /** Resolves when it is the caller's turn. */
  enter(): Promise<FinishingPlace>;
}

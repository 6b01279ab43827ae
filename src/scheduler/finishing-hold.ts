import type { FinishingLoad } from "../domain/finishing-load.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Hold } from "../planner/obstacle.ts";

/** So many times its places may wait in the finishing room before nothing more is started. */
const MOST_PER_PLACE = 4;
/** A pull request that waits for longer than this says that GitHub takes less than the agents make. */
const LONGEST_UNPUBLISHED_MS = 60_000;
/** The end of what is waited for wakes the repository by itself. */
const LOOK_AGAIN_MS = 15_000;

export interface FinishingSituation {
  readonly now: Instant;
  /** Places in the finishing room. */
  readonly places: number;
  readonly load: FinishingLoad;
}

/** Why nothing new starts: agents end faster than their changes can be verified, or pull requests opened. */
export function finishingHold({ now, places, load }: FinishingSituation): Hold | undefined {
  const { finishing, publishingSince } = load;
  const until = instant(now + LOOK_AGAIN_MS);
  if (finishing > MOST_PER_PLACE * places) {
    const reason = `waits: ${finishing} runs are to be verified and pushed first, ${places} at a time`;
    return { code: "finishing", reason, until };
  }
  if (publishingSince === undefined || now - publishingSince <= LONGEST_UNPUBLISHED_MS)
    return undefined;
  const reason = "waits: finished changes have no pull request yet, GitHub takes no more for now";
  return { code: "publishing", reason, until };
}

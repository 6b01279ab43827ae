import { NO_DEPENDENCIES } from "../board/phases.ts";
import type { Dependencies } from "../board/phases.ts";
import { NOTHING_READ } from "../board/read-board.ts";
import type { BoardKnowledge } from "../board/read-board.ts";
import type { RepoReading } from "../domain/board.ts";
import type { OutOfReach } from "../domain/claim/out-of-reach.ts";
import type { TaskId } from "../domain/ids.ts";
import { NO_OBJECTIVES } from "../objectives/tick.ts";
import type { ObjectivesMemory } from "../objectives/tick.ts";
import type { RepoContext } from "../ports/deps.ts";
import type { TrustDecisions } from "../trust/vouch.ts";

/** The lanes of a repository know this between ticks; losing it costs one read. Only the look writes what comes from GitHub. */
export interface Knowledge extends BoardKnowledge {
  /** Undefined while the repository cannot be worked on. */
  context: RepoContext | undefined;
  directories: ReadonlySet<string> | undefined;
  outOfReach: OutOfReach | undefined;
  dependencies: Dependencies;
  decisions: TrustDecisions;
  /** Feedback was looked for in vain in these readings. */
  checkedWithoutResult: ReadonlyMap<TaskId, number>;
  objectives: ObjectivesMemory;
  /** This is the wave in progress, for `schedule: waves`. */
  wave: readonly TaskId[];
}

/** The repository was looked at and can be worked on. */
export type KnownRepo = Knowledge & {
  readonly context: RepoContext;
  readonly reading: RepoReading;
};

export function isKnown(knowledge: Knowledge): knowledge is KnownRepo {
  return knowledge.context !== undefined && knowledge.reading !== undefined;
}

export function noKnowledge(): Knowledge {
  return {
    ...NOTHING_READ,
    context: undefined,
    directories: undefined,
    outOfReach: undefined,
    dependencies: NO_DEPENDENCIES,
    decisions: new Map(),
    checkedWithoutResult: new Map(),
    objectives: NO_OBJECTIVES,
    wave: [],
  };
}

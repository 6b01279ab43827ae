import type { RepoContext } from "../deps.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { CloserLook } from "../ports/github.ts";
import type { MergeLock } from "../ports/merge-lock.ts";
import type { TrainPolicy } from "./policy.ts";
import type { BaseTip } from "./snapshot.ts";

/** One pass over one base branch's train, under its lock. */
export interface TrainPass {
  readonly context: RepoContext;
  readonly lock: MergeLock;
  readonly policy: TrainPolicy;
  readonly train: Train;
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
  readonly tip: BaseTip | undefined;
  /** Undefined where nothing of this pass needs it. */
  readonly look: CloserLook | undefined;
}

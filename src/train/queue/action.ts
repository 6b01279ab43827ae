import type { Change } from "../../domain/change.ts";
import type { Batch, Entry } from "../../domain/entry.ts";
import type { Sha } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { Train } from "../../domain/train.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { CloserLook } from "../../ports/github.ts";
import type { MergeLock } from "../../ports/store.ts";
import type { TrainPolicy } from "./policy.ts";
import type { BaseTip } from "./snapshot.ts";

/** The issue or the branch of a landed entry is still to be tidied up. `key` names the intent that says so. */
export interface UnfinishedLanding {
  readonly entry: Entry;
  readonly key: string;
}

export type TrainAction =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  /** This builds the candidate of these entries, in this order, on top of a commit, and verifies it. */
  | {
      readonly kind: "build";
      readonly entries: readonly Entry[];
      readonly onto: Sha;
      /** Nothing is between the base's tip and the candidate. */
      readonly first: boolean;
    }
  | { readonly kind: "verify"; readonly batch: Batch }
  | { readonly kind: "verify-base"; readonly tip: BaseTip }
  | { readonly kind: "stop-verification"; readonly commit: Sha }
  | { readonly kind: "land" | "resolve-landing"; readonly batch: Batch }
  | { readonly kind: "enqueue-natively"; readonly entry: Entry }
  | { readonly kind: "follow-native-queue"; readonly entries: readonly Entry[] }
  | { readonly kind: "finish-landings"; readonly landings: readonly UnfinishedLanding[] }
  | { readonly kind: "read-again"; readonly reason: string }
  | { readonly kind: "look-up-pull"; readonly task: Task; readonly entry: Entry | undefined };

/** One pass goes over one base branch's train, under its lock. */
export interface TrainPass {
  readonly context: RepoContext;
  readonly lock: MergeLock;
  readonly policy: TrainPolicy;
  readonly train: Train;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly runs: readonly Run[];
  readonly tip: BaseTip | undefined;
  /** It is undefined where nothing in this pass needs it. */
  readonly look: CloserLook | undefined;
}

import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type { Sha } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import type { Batch } from "./batch.ts";
import type { BaseTip } from "./snapshot.ts";

/** What follows the landing of an entry is still to be done; `key` names the intent that says so. */
export interface UnfinishedLanding {
  readonly entry: Entry;
  readonly key: string;
}

export type TrainCommand =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  /** Builds the candidate of these entries, in this order, on top of a commit, and verifies it. */
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
  | { readonly kind: "land" | "settle"; readonly batch: Batch }
  | { readonly kind: "enqueue-natively"; readonly entry: Entry }
  | { readonly kind: "follow-native-queue"; readonly entries: readonly Entry[] }
  | { readonly kind: "finish-landings"; readonly landings: readonly UnfinishedLanding[] }
  | { readonly kind: "read-again"; readonly reason: string }
  | { readonly kind: "look-up-pull"; readonly task: Task; readonly entry: Entry | undefined };

import type { TrainId } from "../domain/ids.ts";
import type { Lease } from "./store.ts";

declare const held: unique symbol;

/** Only `withMergeLock` makes one: having it proves that no one else lands on this base branch. */
export interface MergeLock {
  readonly [held]: TrainId;
  /** By this right the train's changes are written. */
  readonly lease: Lease;
}

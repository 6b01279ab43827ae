import type { Instant } from "../domain/ids.ts";

export interface Clock {
  readonly now: () => Instant;
  /** Calls `fire` once after the delay. The returned function cancels this. */
  after(delayMs: number, fire: () => void): () => void;
}

import type { Instant } from "../domain/ids.ts";

export interface Clock {
  readonly now: () => Instant;
  /** Calls `fire` once after the delay; the returned function takes it back. */
  after(delayMs: number, fire: () => void): () => void;
}

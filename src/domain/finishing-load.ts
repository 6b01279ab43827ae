import type { Instant } from "./ids.ts";

/** How much is under way between an agent's end and its pull request. */
export interface FinishingLoad {
  /** Runs whose change is not pushed yet, those in line included. */
  readonly finishing: number;
  /** Runs whose change is pushed and whose pull request is not open yet. */
  readonly publishing: number;
  /** Since when the first of them waits. */
  readonly publishingSince: Instant | undefined;
}

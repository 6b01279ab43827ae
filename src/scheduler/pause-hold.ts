import type { RepoPause } from "../domain/given-command.ts";
import type { Hold } from "../planner/obstacle.ts";
import { plainWords } from "../shared/plain-name.ts";

/** A paused repository starts nothing until someone resumes it. */
export function pauseHold(pause: RepoPause | undefined): Hold | undefined {
  return pause && { code: "paused", reason: wordRepoPause(pause), until: undefined };
}

/** `paused by ann: waiting for the release`. */
export function wordRepoPause({ by, reason }: RepoPause): string {
  return `paused by ${by}${reason === "" ? "" : `: ${plainWords(reason)}`}`;
}

import type { HaltCause, Train } from "../domain/train.ts";

const WAY_ON: Readonly<Record<HaltCause, string>> = {
  "red-base": "it goes on by itself when that is green again",
  "integrity-breach": "look at it, then say /resume",
  permission: "let the app do that, or set train.landing, then say /resume",
};

/** What everyone in a train that stands waits for: by whom or why it stands, and what makes it go on. */
export function standingReason({ state, base, reason, by, cause }: Train): string {
  const who = by === undefined ? "" : ` by ${by}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const then =
    cause === undefined || state !== "halted" ? "until someone says /resume" : WAY_ON[cause];
  return `the train of ${base} is ${state}${who}${why}; ${then}`;
}

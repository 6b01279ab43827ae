import { assertNever } from "../shared/assert-never.ts";
import { cleanText, cutStart } from "../shared/clean-text.ts";
import { redact } from "../shared/redact.ts";
import type { RunOutcome } from "./run.ts";

const MAX_LINES = 12;
const MAX_LENGTH = 2000;

/** Returns what the program printed last, or what its agent said, as it is in the store. It is empty where nothing explains the outcome. */
export function tailOf(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case "failed":
    case "verify-failed":
    case "not-logged-in":
    case "timed-out":
    case "stalled":
    case "lost":
      return (outcome.tail ?? "").trim();
    case "no-changes":
      return outcome.notes.trim();
    case "out-of-scope":
    case "disk-limit":
    case "succeeded":
    case "provider-limited":
    case "cancelled":
      return "";
    default:
      return assertNever(outcome);
  }
}

/** Returns the last lines for a terminal: no control characters, nothing that looks like a secret, and few of them. */
export function lastLines(outcome: RunOutcome): readonly string[] {
  // The text is cut twice: the first cut bounds the work of hiding, and the second removes a secret that the first cut in two.
  const safe = redact(cleanText(cutStart(tailOf(outcome), MAX_LENGTH * 2)));
  const lines = cutStart(safe.trim(), MAX_LENGTH).split("\n");
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .slice(-MAX_LINES);
}

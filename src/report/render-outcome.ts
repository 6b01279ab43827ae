import type { RunOutcome } from "../domain/run.ts";
import { assertNever } from "../shared/assert-never.ts";
import { formatDuration, formatInstant } from "../shared/format-time.ts";
import { joinSome } from "./join-some.ts";
import { codeSpan, escapeReason, logBlock } from "./escape-markdown.ts";

const MOST_PATHS = 10;

/** How a run ended, as the end of a sentence in Markdown. */
export function renderOutcome(outcome: RunOutcome): string {
  if ("reason" in outcome) return `${outcome.kind}: ${escapeReason(outcome.reason)}`;
  switch (outcome.kind) {
    case "succeeded":
      return `changed ${countOf(outcome.files.length, "file")}`;
    case "no-changes":
      return "changed nothing";
    case "out-of-scope":
      return `changed files that the task does not declare: ${renderPaths(outcome.paths)}`;
    case "verify-failed":
      return "the verification failed";
    case "failed":
      return exitText(outcome.exitCode);
    case "timed-out":
      return `stopped after ${formatDuration(outcome.afterMs)}, the time limit`;
    case "stalled":
      return `stopped after ${formatDuration(outcome.afterMs)} without a sign of life`;
    case "provider-limited":
      return `the runner's provider asks to wait until ${formatInstant(outcome.until)}`;
    default:
      return assertNever(outcome);
  }
}

/** The end of the log that explains a failure, folded away; empty for outcomes without one. */
export function renderLogTail(outcome: RunOutcome | undefined): string {
  if (outcome?.kind !== "verify-failed" && outcome?.kind !== "failed") return "";
  if (outcome.tail.trim() === "") return "";
  return `<details><summary>End of the log</summary>\n\n${logBlock(outcome.tail)}\n\n</details>`;
}

/** Paths as code, the first ones by name. */
export function renderPaths(paths: readonly string[], most = MOST_PATHS): string {
  return joinSome(
    paths.map((path) => codeSpan(path)),
    most,
  );
}

export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function exitText(exitCode: number | undefined): string {
  return exitCode === undefined
    ? "the runner was ended by a signal"
    : `the runner failed with exit code ${exitCode}`;
}

import { describeOutcome, tailOf } from "../../domain/failure.ts";
import type { RunOutcome } from "../../domain/run.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { formatInstant } from "../../shared/format.ts";
import { escapeReason, logBlock } from "./escape-markdown.ts";
import { renderPaths } from "./render-paths.ts";

/** Says how a run ended, as the end of a sentence in Markdown. */
export function renderOutcome(outcome: RunOutcome): string {
  const words = escapeReason(describeOutcome(outcome));
  switch (outcome.kind) {
    case "succeeded":
      return `changed ${countOf(outcome.files.length, "file")}`;
    case "out-of-scope":
      return `changed files that the task does not declare: ${renderPaths(outcome.paths)}`;
    case "provider-limited":
      return outcome.until === undefined ? words : `${words} until ${formatInstant(outcome.until)}`;
    case "no-changes":
    case "verify-failed":
    case "not-scored":
    case "failed":
    case "not-logged-in":
    case "timed-out":
    case "stalled":
    case "disk-limit":
    case "cancelled":
    case "lost":
      return words;
    default:
      return assertNever(outcome);
  }
}

/** Shows the end of the log that explains a failure, folded away; empty for outcomes without one. */
export function renderLogTail(outcome: RunOutcome | undefined): string {
  const tail = outcome === undefined ? "" : tailOf(outcome);
  if (outcome === undefined || tail === "") return "";
  return `<details><summary>${SUMMARIES[outcome.kind] ?? "End of the log"}</summary>\n\n${logBlock(tail)}\n\n</details>`;
}

const SUMMARIES: Readonly<Partial<Record<RunOutcome["kind"], string>>> = {
  "no-changes": "What the runner said",
};

export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

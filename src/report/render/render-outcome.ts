import { describeOutcome } from "../../domain/failure.ts";
import type { RunOutcome } from "../../domain/run.ts";
import { formatInstant } from "../../shared/format.ts";
import { escapeReason, logBlock } from "./escape-markdown.ts";
import { renderPaths } from "./render-paths.ts";

/** Says how a run ended, as the end of a sentence in Markdown. */
export function renderOutcome(outcome: RunOutcome): string {
  if (outcome.kind === "succeeded") return `changed ${countOf(outcome.files.length, "file")}`;
  if (outcome.kind === "out-of-scope") {
    return `changed files that the task does not declare: ${renderPaths(outcome.paths)}`;
  }
  const words = escapeReason(describeOutcome(outcome));
  return outcome.kind === "provider-limited" && outcome.until !== undefined
    ? `${words} until ${formatInstant(outcome.until)}`
    : words;
}

/** Shows the end of the log that explains a failure, folded away; empty for outcomes without one. */
export function renderLogTail(outcome: RunOutcome | undefined): string {
  if (outcome?.kind !== "verify-failed" && outcome?.kind !== "failed") return "";
  if (outcome.tail.trim() === "") return "";
  return `<details><summary>End of the log</summary>\n\n${logBlock(outcome.tail)}\n\n</details>`;
}

export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

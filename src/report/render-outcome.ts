import { describeOutcome } from "../domain/describe-outcome.ts";
import type { RunOutcome } from "../domain/run.ts";
import { formatInstant } from "../shared/format-time.ts";
import { codeSpan, escapeReason, logBlock } from "./escape-markdown.ts";
import { joinSome } from "./join-some.ts";

const MOST_PATHS = 10;

/** How a run ended, as the end of a sentence in Markdown. */
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

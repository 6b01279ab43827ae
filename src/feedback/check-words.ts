import type { CheckEvidence, CheckRemark, FailedCheck, FailedStep } from "../domain/pull-review.ts";
import { cleanLine, cleanText, cutEnd, cutStart } from "../shared/clean-text.ts";
import { codeFence } from "../shared/code-fence.ts";
import { visibleText } from "../shared/markdown/visible-text.ts";

/** All together stay below what a prompt takes of one voice. */
const MAX_LENGTH = 7500;
const MAX_REMARKS_LENGTH = 2000;
const MAX_LOG_LENGTH = 3000;

/** Puts together all that is known about a failed check. Its log comes last, and the check's own words give way to it. */
export function wordsOfCheck(
  { text, remarkCount }: FailedCheck,
  { remarks, steps }: CheckEvidence,
): string {
  const more = remarkCount - remarks.length;
  const found = [
    cutEnd(remarks.map(remarkLine).join("\n"), MAX_REMARKS_LENGTH),
    more <= 0 ? "" : `${counted(more)} not shown here.`,
    ...steps.map((step) => stepText(step, MAX_LOG_LENGTH / steps.length)),
  ].filter((part) => part !== "");
  const left = MAX_LENGTH - found.reduce((sum, part) => sum + part.length, 0);
  const said = cutEnd(visibleText(text), left);
  return [said, ...found].filter((part) => part !== "").join("\n\n") || "It failed.";
}

function counted(more: number): string {
  return more === 1 ? "1 more annotation is" : `${more} more annotations are`;
}

function remarkLine({ path, line, level, text }: CheckRemark): string {
  return `${cleanLine(path, 200)}:${line}: ${cleanLine(level, 20)}: ${cleanLine(text, 400)}`;
}

function stepText({ name, log }: FailedStep, maxLength: number): string {
  const tail = cutStart(cleanText(log).trim(), maxLength);
  return `The end of the log of the step "${cleanLine(name, 100)}":\n\n${codeFence(tail)}`;
}

import { cleanLine, cleanText, cutStart } from "../shared/clean-text.ts";
import { codeFence } from "../shared/code-fence.ts";

/** Some agent programs put a file in the place of `@path`, also one from outside the workspace: the gap prevents it. */
const GAP = "\u200B";
const LOG_LENGTH = 6000;

export const GAP_NOTE =
  "In quoted words each @ is followed by a zero-width space that is not part of them: leave it out of what you write.";

/** Someone's words on one line of a prompt. */
export function quotedLine(text: string, maxLength: number): string {
  return withGaps(cleanLine(text, maxLength));
}

/** Someone's words as a block of a prompt that they cannot close. */
export function quotedBlock(text: string): string {
  return codeFence(withGaps(text));
}

/** The end of a log as a block of a prompt. */
export function quotedLog(tail: string): string {
  return quotedBlock(cutStart(cleanText(tail).trim(), LOG_LENGTH));
}

export function hasGaps(text: string): boolean {
  return text.includes(GAP);
}

function withGaps(text: string): string {
  return text.replaceAll("@", `@${GAP}`);
}

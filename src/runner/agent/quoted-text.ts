import { cleanLine, cleanText, cutStart } from "../../shared/clean-text.ts";
import { codeFence } from "../../shared/code-fence.ts";

/** Some agent programs replace `@path` by a file, even by one from outside the workspace. The gap prevents that. */
const GAP = "\u200B";
const MAX_LOG_LENGTH = 6000;

export const GAP_NOTE =
  "In quoted words each @ is followed by a zero-width space that is not part of them: leave it out of what you write.";

/** Puts someone's words on one line of a prompt. */
export function quotedLine(text: string, maxLength: number): string {
  return withGaps(cleanLine(text, maxLength));
}

/** Puts someone's words into a block of a prompt that they cannot close. */
export function quotedBlock(text: string): string {
  return codeFence(withGaps(text));
}

/** Puts the end of a log into a block of a prompt. */
export function quotedLog(tail: string): string {
  return quotedBlock(cutStart(cleanText(tail).trim(), MAX_LOG_LENGTH));
}

export function hasGaps(text: string): boolean {
  return text.includes(GAP);
}

function withGaps(text: string): string {
  return text.replaceAll("@", `@${GAP}`);
}

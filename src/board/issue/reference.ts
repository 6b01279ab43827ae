import { repoName, taskIdOf } from "../../domain/ids.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";

const SHORT = /^#([1-9]\d{0,9})$/;
const LONG = /^([A-Za-z0-9][A-Za-z0-9_-]*\/[A-Za-z0-9._-]+)#([1-9]\d{0,9})$/;
const LINK =
  /^https?:\/\/[^/?#]+\/([A-Za-z0-9][A-Za-z0-9_-]*\/[A-Za-z0-9._-]+)\/(?:issues|pull)\/([1-9]\d{0,9})(?:[/?#]|$)/;
/** No owner, repository and number together can be longer. */
const MAX_LENGTH = 300;

/** Returns the words of a line that could name an issue: Markdown's marks and punctuation part them. */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(/[\s,;()[\]<>"'`*]/)
    .map((word) => (/[.:!?]$/.test(word) ? word.slice(0, -1) : word))
    .filter((word) => word !== "" && word.length <= MAX_LENGTH);
}

/** Reads `#12`, `owner/name#12` or the address of an issue as the id of its task; it returns undefined for any other word. */
export function taskIdFrom(word: string, home: RepoName): TaskId | undefined {
  const short = SHORT.exec(word);
  if (short !== null) return taskIdOf(home, Number(short[1]));
  const far = LONG.exec(word) ?? LINK.exec(word);
  if (far?.[1] === undefined) return undefined;
  const repo = repoName(far[1]);
  // GitHub's names ignore letter case; ids do not.
  return taskIdOf(repo.toLowerCase() === home.toLowerCase() ? home : repo, Number(far[2]));
}

/** Tells whether a word starts like a reference to an issue or like a link, well-formed or not. */
export function isReference(word: string): boolean {
  return /^(?:#\w|\[|https?:\/\/)/.test(word) || LONG.test(wordsOf(word)[0] ?? "");
}

/** Tells whether a word is `#` with something after it that is no issue's number. */
export function isBrokenReference(word: string): boolean {
  return /^#\w/.test(word) && !SHORT.test(word);
}

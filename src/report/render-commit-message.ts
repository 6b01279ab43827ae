import { inertLine, inertText } from "./escape-markdown.ts";
import type { Origin } from "./render-trailers.ts";
import { renderTrailers } from "./render-trailers.ts";

export interface CommitMessageView {
  readonly title: string;
  /** The runner's last words; may be empty. */
  readonly notes: string;
  /** Set when the message is for the commit that lands a pull request. */
  readonly pull: number | undefined;
  readonly origin: Origin;
}

/** Longer subjects are cut by most tools that list commits. */
const SUBJECT_LENGTH = 72;
const NOTES_LENGTH = 2000;
const TRAILER = /^(?:wavetrain-|objective:|co-authored-by|signed-off-by)/i;

/** Subject, notes and trailers. A title or a note can close no issue and mention nobody. */
export function renderCommitMessage(view: CommitMessageView): string {
  const parts = [renderSubject(view), renderNotes(view.notes), renderTrailers(view.origin)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Subject and the rest, for an interface that takes them apart. */
export function splitCommitMessage(message: string): {
  readonly title: string;
  readonly body: string;
} {
  const end = message.indexOf("\n");
  return { title: message.slice(0, end), body: message.slice(end).trim() };
}

function renderSubject({ title, pull, origin }: CommitMessageView): string {
  const suffix = pull === undefined ? "" : ` (#${pull})`;
  const subject = inertLine(title, SUBJECT_LENGTH - suffix.length);
  return `${subject === "" ? `Task ${origin.task}` : subject}${suffix}`;
}

/** Only the last paragraph speaks for us, even to tools that look further up. */
function renderNotes(notes: string): string {
  return inertText(notes, NOTES_LENGTH)
    .split("\n")
    .map((line) => (TRAILER.test(line) ? ` ${line}` : line).trimEnd())
    .join("\n");
}

import type { RunId, Sha, TaskId } from "../../domain/ids.ts";
import { inertLine, inertText } from "./escape-markdown.ts";

/** It says where a change comes from; every commit and pull request says so in the same words. */
export interface Origin {
  readonly task: TaskId;
  readonly run: RunId;
  readonly base: Sha;
  /** The task is part of this objective. */
  readonly objective?: TaskId | undefined;
}

interface CommitMessageView {
  readonly title: string;
  /** These are the runner's last words; they may be empty. */
  readonly notes: string;
  /** It is set when the message is for the commit that lands a pull request. */
  readonly pull: number | undefined;
  readonly origin: Origin;
}

/** Longer subjects are cut by most tools that list commits. */
const MAX_SUBJECT_LENGTH = 72;
const MAX_NOTES_LENGTH = 2000;
const TRAILER = /^(?:wavetrain-|objective:|co-authored-by|signed-off-by)/i;

/** Writes subject, notes and trailers. A title or a note can close no issue and mention nobody. */
export function renderCommitMessage(view: CommitMessageView): string {
  const parts = [renderSubject(view), renderNotes(view.notes), renderTrailers(view.origin)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Splits a message into subject and rest, for an interface that takes them separately. */
export function splitCommitMessage(message: string): {
  readonly title: string;
  readonly body: string;
} {
  const end = message.indexOf("\n");
  return { title: message.slice(0, end), body: message.slice(end).trim() };
}

function renderSubject({ title, pull, origin }: CommitMessageView): string {
  const suffix = pull === undefined ? "" : ` (#${pull})`;
  const subject = inertLine(title, MAX_SUBJECT_LENGTH - suffix.length);
  return `${subject === "" ? `Task ${origin.task}` : subject}${suffix}`;
}

/** Indents lines that look like trailers: only the last paragraph may have any, even for tools that look further up. */
function renderNotes(notes: string): string {
  return inertText(notes, MAX_NOTES_LENGTH)
    .split("\n")
    .map((line) => (TRAILER.test(line) ? ` ${line}` : line).trimEnd())
    .join("\n");
}

/** Writes git trailers that lead from a commit back to its task and run. */
export function renderTrailers({ task, run, base, objective }: Origin): string {
  return [
    `Wavetrain-Task: ${task}`,
    `Wavetrain-Run: ${run}`,
    `Wavetrain-Base: ${base}`,
    ...(objective === undefined ? [] : [`Objective: ${shortId(objective, task)}`]),
  ].join("\n");
}

/** Writes `#12` for an issue of the task's own repository. */
function shortId(id: TaskId, beside: TaskId): string {
  const mark = id.lastIndexOf("#");
  return beside.startsWith(id.slice(0, mark + 1)) ? id.slice(mark) : id;
}

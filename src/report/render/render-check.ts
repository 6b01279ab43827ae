import type { Entry, EntryState } from "../../domain/entry.ts";
import type { Run } from "../../domain/run.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import { cleanLine, cleanText } from "../../shared/clean-text.ts";
import { redact } from "../../shared/redact.ts";
import { codeSpan, escapeReason, logBlock } from "./escape-markdown.ts";
import { renderLogTail, renderOutcome } from "./render-outcome.ts";

/** This is the part of a check run that is words; its status follows GitHub's. */
export interface CheckText {
  readonly status: "queued" | "in-progress" | "success" | "failure" | "neutral";
  readonly title: string;
  readonly summary: string;
}

/** A program complained of this place in a changed file. */
export interface Complaint {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** The app's check run on a pull request has this name; a rule of a branch may require it. */
export const CHECK_NAME = "wavetrain";

interface CheckView {
  readonly task: Pick<Task, "state" | "reason">;
  /** This is the latest run. */
  readonly run: Pick<Run, "outcome"> | undefined;
  /** This is the latest entry in the train. */
  readonly entry: Pick<Entry, "state" | "reason" | "evidence" | "base"> | undefined;
  /** The place in the train is counted from 1, while the change waits there. */
  readonly position?: number | undefined;
  /** Its train waits for a person. */
  readonly stands?: boolean;
}

type Head = Pick<CheckText, "status" | "title">;

const BY_TASK: Readonly<Record<TaskState, Head>> = {
  waiting: { status: "queued", title: "Waiting for a run" },
  blocked: { status: "failure", title: "Blocked" },
  running: { status: "in-progress", title: "A run is at work" },
  review: { status: "queued", title: "Waiting for review" },
  queued: { status: "queued", title: "In the train" },
  landed: { status: "success", title: "Landed" },
  failed: { status: "failure", title: "Given up" },
  cancelled: { status: "neutral", title: "Cancelled" },
};

const BY_ENTRY: Readonly<Record<EntryState, Head>> = {
  queued: { status: "queued", title: "In the train" },
  verifying: { status: "in-progress", title: "Being verified on the base branch" },
  verified: { status: "success", title: "Verified on the base branch" },
  landing: { status: "success", title: "Verified, landing" },
  landed: { status: "success", title: "Landed" },
  rejected: { status: "failure", title: "Sent back by the train" },
  superseded: { status: "neutral", title: "Left the train" },
};

/** This is reported although nothing is decided yet, because nothing goes on until someone has looked. */
export const STANDS: Head = { status: "queued", title: "The train waits for a person" };

/** This is more than a reader looks at; GitHub takes 50 with one request. */
const MAX_ANNOTATIONS = 20;
const MAX_MESSAGE_LENGTH = 500;
/** It finds places such as `src/a.ts:12:5`, `src/a.ts(12,5)` and `File "src/a.py", line 12`. */
const PLACE = /([^\s"'`():,;]{1,300})(?::|\(|", line )(\d{1,6})(?!\d)/g;

/** Writes the check run of a task's pull request. */
export function renderCheck(view: CheckView): CheckText {
  const head = headOf(view);
  const parts = [
    reasonOf(view),
    view.run?.outcome === undefined ? "" : `The last run: ${renderOutcome(view.run.outcome)}.`,
    evidenceOf(view.entry),
    view.entry?.state === "rejected" ? "" : renderLogTail(view.run?.outcome),
  ];
  const summary = parts.filter((part) => part !== "").join("\n\n");
  return { ...head, summary: summary === "" ? head.title : summary };
}

/** The train's entry gives the title while a change is in the train. */
function headOf({ task, entry, position, stands }: CheckView): Head {
  const inTrain = entry !== undefined && isTold(entry.state, task.state);
  if (inTrain && entry.state === "queued" && stands === true) return STANDS;
  const head = inTrain ? BY_ENTRY[entry.state] : BY_TASK[task.state];
  const showsPosition = head.title === "In the train" && position !== undefined;
  return showsPosition ? { ...head, title: `${head.title}, place ${position}` } : head;
}

/**
 * A change that the train sent back keeps the entry's title until a run has something better. A change that left the train waits for a
 * review again: neutral would count as passed where the check is required.
 */
function isTold(entry: EntryState, task: TaskState): boolean {
  if (task === "review") return entry !== "superseded";
  if (task === "queued") return true;
  return entry === "rejected" && (task === "waiting" || task === "running");
}

function reasonOf({ task, entry }: CheckView): string {
  const reasons = [task.reason, entry?.reason ?? ""].map((reason) => reason.trim());
  return [...new Set(reasons)]
    .filter((reason) => reason !== "")
    .map((reason) => `> ${escapeReason(reason)}`)
    .join("\n>\n");
}

function evidenceOf(entry: CheckView["entry"]): string {
  if (entry?.evidence === undefined) return "";
  const { command, verdict, candidate, tail } = entry.evidence;
  const base = `${codeSpan(entry.base)} at ${candidate.base.slice(0, 12)}`;
  const what = `${codeSpan(command)} on ${candidate.commit.slice(0, 12)}, which is ${base} with this change`;
  return verdict === "green" ? `Passed: ${what}.` : `Failed: ${what}.\n\n${logBlock(tail)}`;
}

/** Finds what the output of a program says about lines of the changed files, each line once. */
export function findAnnotations(output: string, files: readonly string[]): readonly Complaint[] {
  const known = new Set(files);
  const found = new Map<string, Complaint>();
  for (const text of redact(cleanText(output)).split("\n")) {
    for (const [, named = "", digits] of text.matchAll(PLACE)) {
      const [path, line] = [changedFile(named, known), Number(digits)];
      const key = `${path ?? ""}:${line}`;
      if (path === undefined || line === 0 || found.has(key)) continue;
      found.set(key, { path, line, message: cleanLine(text, MAX_MESSAGE_LENGTH) });
    }
  }
  return [...found.values()].slice(0, MAX_ANNOTATIONS);
}

/** Programs name files from the root of the workspace, from its folder or from `.`. */
function changedFile(named: string, known: ReadonlySet<string>): string | undefined {
  for (let rest = named; rest !== "";) {
    if (known.has(rest)) return rest;
    const slash = rest.indexOf("/");
    rest = slash < 0 ? "" : rest.slice(slash + 1);
  }
  return undefined;
}

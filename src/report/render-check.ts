import type { Entry, EntryState } from "../domain/entry.ts";
import type { Run } from "../domain/run.ts";
import type { Task, TaskState } from "../domain/task.ts";
import { codeSpan, escapeReason, logBlock } from "./escape-markdown.ts";
import { renderLogTail, renderOutcome } from "./render-outcome.ts";

/** Of the app's check run on a pull request; a rule of a branch may ask for it. */
export const CHECK_NAME = "wavetrain";

export interface CheckView {
  readonly task: Pick<Task, "state" | "reason">;
  /** The latest run. */
  readonly run: Pick<Run, "outcome"> | undefined;
  /** The latest entry in the train. */
  readonly entry: Pick<Entry, "state" | "reason" | "evidence" | "base"> | undefined;
  /** Place in the train counted from 1, while it waits there. */
  readonly position?: number | undefined;
  /** Its train waits for a person. */
  readonly stands?: boolean;
}

/** The part of a check run that is words; its status follows GitHub's. */
export interface CheckText {
  readonly status: "queued" | "in-progress" | "success" | "failure" | "neutral";
  readonly title: string;
  readonly summary: string;
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

/** Told although nothing is decided yet: nothing goes on until someone has looked. */
export const STANDS: Head = { status: "queued", title: "The train waits for a person" };

/** What the check run of a task's pull request says. */
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

/** The train speaks while a change is in it. */
function headOf({ task, entry, position, stands }: CheckView): Head {
  const inTrain = entry !== undefined && isTold(entry.state, task.state);
  if (inTrain && entry.state === "queued" && stands === true) return STANDS;
  const head = inTrain ? BY_ENTRY[entry.state] : BY_TASK[task.state];
  const showsPosition = head.title === "In the train" && position !== undefined;
  return showsPosition ? { ...head, title: `${head.title}, place ${position}` } : head;
}

/**
 * What it sent back it speaks for until a run has something better. What left it waits for a review again: neutral would count as
 * passed where the check is required.
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

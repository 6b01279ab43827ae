import { isOpenEntry } from "../../domain/entry.ts";
import { reasonOf } from "../../domain/story/reason-of.ts";
import type { Whereabouts } from "../../domain/story/reason-of.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";
import type { TaskState } from "../../domain/task.ts";
import { wordStanding } from "../../domain/train.ts";
import type { Train } from "../../domain/train.ts";
import { cleanLine, cleanText } from "../../shared/clean-text.ts";
import { redact } from "../../shared/redact.ts";
import { codeSpan, escapeReason, logBlock } from "./escape-markdown.ts";
import { renderWinner } from "./render-exploration.ts";
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

type Head = Pick<CheckText, "status" | "title">;

const HEADS: Readonly<Record<Whereabouts, Head>> = {
  waiting: { status: "queued", title: "Waiting for a run" },
  blocked: { status: "failure", title: "Blocked" },
  starting: { status: "in-progress", title: "A run starts" },
  running: { status: "in-progress", title: "A run is at work" },
  verifying: { status: "in-progress", title: "A run's change is verified" },
  exploring: { status: "in-progress", title: "Several runs are at work" },
  review: { status: "queued", title: "Waiting for review" },
  rework: { status: "queued", title: "Waiting for a run that revises it" },
  "train-queued": { status: "queued", title: "In the train" },
  "train-verifying": { status: "in-progress", title: "Being verified on the base branch" },
  "train-verified": { status: "success", title: "Verified on the base branch" },
  "train-landing": { status: "success", title: "Verified, landing" },
  "train-paused": { status: "queued", title: "The train is paused" },
  "train-halted": { status: "queued", title: "The train is halted" },
  landed: { status: "success", title: "Landed" },
  failed: { status: "failure", title: "Given up" },
  cancelled: { status: "neutral", title: "Cancelled" },
};

/** This is reported although nothing is decided yet, because nothing goes on until something is put right. */
export const HALTED = HEADS["train-halted"];

const SENT_BACK: Head = { status: "failure", title: "Sent back by the train" };

/** This is more than a reader looks at; GitHub takes 50 with one request. */
const MAX_ANNOTATIONS = 20;
const MAX_MESSAGE_LENGTH = 500;
/** It finds places such as `src/a.ts:12:5`, `src/a.ts(12,5)` and `File "src/a.py", line 12`. */
const PLACE = /([^\s"'`():,;]{1,300})(?::|\(|", line )(\d{1,6})(?!\d)/g;

/** Writes the check run of a task's pull request. */
export function renderCheck(story: TaskStory): CheckText {
  const { run, entry, exploring } = story;
  const head = headOf(story);
  const parts = [
    renderReasons(story),
    run?.outcome === undefined ? "" : `The last run: ${renderOutcome(run.outcome)}.`,
    exploring === undefined ? "" : renderWinner(exploring),
    evidenceOf(entry),
    entry?.state === "rejected" ? "" : renderLogTail(run?.outcome),
  ];
  const summary = parts.filter((part) => part !== "").join("\n\n");
  return { ...head, summary: summary === "" ? head.title : summary };
}

/** Writes the check run of the commit of a base branch at which the train halted, or goes on again. */
export function renderBaseCheck(train: Train): CheckText {
  if (train.state !== "halted")
    return {
      status: "neutral",
      title: "The train goes on",
      summary: `> ${escapeReason(train.reason)}`,
    };
  const parts = [
    `> ${escapeReason(wordStanding(train))}`,
    "No change that waits to land is to blame for it.",
    ...(train.tail === undefined || train.tail.trim() === "" ? [] : [logBlock(train.tail)]),
  ];
  return { status: "failure", title: `${train.base} itself fails`, summary: parts.join("\n\n") };
}

function headOf(story: TaskStory): Head {
  if (isSentBack(story)) return SENT_BACK;
  const { whereabouts } = reasonOf(story);
  const head = HEADS[whereabouts];
  const showsPosition = whereabouts === "train-queued" && story.position !== undefined;
  return showsPosition ? { ...head, title: `${head.title}, place ${story.position}` } : head;
}

/** A change that the train sent back keeps that title until a run has something better. */
function isSentBack({ task, entry }: TaskStory): boolean {
  return entry?.state === "rejected" && BEFORE_ANOTHER.has(task.state);
}

const BEFORE_ANOTHER: ReadonlySet<TaskState> = new Set(["waiting", "running", "review", "queued"]);

/** While a change is in the train, the entry's reason is the task's; afterwards it says why the change is not in there any more. */
function renderReasons(story: TaskStory): string {
  const { entry } = story;
  const left = entry === undefined || isOpenEntry(entry.state) ? "" : entry.reason;
  const reasons = [reasonOf(story).why, left].map((reason) => reason.trim());
  return [...new Set(reasons)]
    .filter((reason) => reason !== "")
    .map((reason) => `> ${escapeReason(reason)}`)
    .join("\n>\n");
}

function evidenceOf(entry: TaskStory["entry"]): string {
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

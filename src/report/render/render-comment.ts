import type { Entry } from "../../domain/entry.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import { reasonOf } from "../../domain/story/reason-of.ts";
import type { Whereabouts } from "../../domain/story/reason-of.ts";
import { presentExploring } from "../../domain/story/task-story.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";
import type { Task } from "../../domain/task.ts";
import { codeSpan, escapeReason } from "./escape-markdown.ts";
import { isContest, isContestTask } from "../../domain/explore/words.ts";
import { renderAnswer } from "./render-answer.ts";
import type { AnswerView } from "./render-answer.ts";
import { renderExploration } from "./render-exploration.ts";
import { renderLeftOut, renderOffered } from "./render-issue-text.ts";
import { renderLogTail, renderOutcome } from "./render-outcome.ts";
import { renderClaims } from "./render-paths.ts";

/** Tells our comment from all others; it is the first line of every one. */
export const COMMENT_MARKER = "<!-- wavetrain:task -->";

/** The one comment on a task's issue says all of this. */
export interface CommentView extends TaskStory {
  readonly attemptLimit: number;
  /** It answers the last command on the issue. */
  readonly answer?: AnswerView | undefined;
}

/** A run that goes on has one title for all of its steps, because the comment is not written again before it is over. */
const TITLES: Readonly<Record<Whereabouts, string>> = {
  waiting: "Waiting",
  blocked: "Blocked",
  starting: "Started",
  running: "Started",
  verifying: "Started",
  exploring: "Exploring",
  review: "Waiting for review",
  rework: "Waiting for a run that revises it",
  "train-queued": "In the train",
  "train-verifying": "In the train",
  "train-verified": "In the train",
  "train-landing": "In the train",
  "train-paused": "In the train, which is paused",
  "train-halted": "In the train, which is halted",
  landed: "Landed",
  failed: "Given up",
  cancelled: "Cancelled",
};

/** Writes the one comment on a task's issue, which is edited in place. The same view gives the same text. */
export function renderComment(view: CommentView): string {
  const { task } = view;
  const reason = reasonOf(view);
  const wave = task.state === "waiting" && task.wave !== undefined ? ` · wave ${task.wave}` : "";
  // Why a run was started stays true while it goes on.
  const why = task.state === "running" ? task.reason : reason.why;
  const before = [
    `${COMMENT_MARKER}\n**${titleOf(reason.whereabouts, view)}**${wave}`,
    renderReason(why),
    factsOf(view, why).join("\n"),
  ];
  const after = [
    task.state === "landed" ? "" : renderLogTail(endOf(view)),
    renderOffered(task.spec),
    asSentence(reason.next),
    renderAnswer(view.answer),
  ];
  const parts = [...before, explorationText(view, [...before, ...after]), ...after];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Several contenders are told as one run is. */
function titleOf(whereabouts: Whereabouts, { task }: CommentView): string {
  const isPlain = whereabouts === "exploring" && isContestTask(task);
  return TITLES[isPlain ? "running" : whereabouts];
}

/** It stays in the comment when it is over. Of contenders nothing is told before, because that would take a write for each. */
function explorationText(view: CommentView, beside: readonly string[]): string {
  const isAtWork = reasonOf(view).whereabouts === "exploring";
  const exploring = isAtWork ? presentExploring(view) : view.exploring;
  if (exploring === undefined) return "";
  if (isContest(exploring.exploration) && isAtWork) return "";
  return renderExploration({ ...exploring, task: view.task }, beside);
}

/** One of several runs that ends says nothing of its task. */
function endOf(view: CommentView): RunOutcome | undefined {
  return reasonOf(view).whereabouts === "exploring" ? undefined : view.run?.outcome;
}

function renderReason(reason: string): string {
  return reason.trim() === "" ? "" : `> ${escapeReason(reason)}`;
}

/** Commands stand out as code. */
function asSentence(words: string): string {
  if (words === "") return "";
  const marked = words.replaceAll(/\/[a-z]+/g, "`$&`");
  return `${marked.slice(0, 1).toUpperCase()}${marked.slice(1)}.`;
}

function factsOf(view: CommentView, why: string): readonly string[] {
  const { task, run, entry } = view;
  return [
    ...(run === undefined ? [] : [runFact(run, view)]),
    ...(task.pull === undefined ? [] : [`- Pull request: #${task.pull}`]),
    ...(entry === undefined || task.state === "landed" ? [] : [trainFact(entry, why)]),
    ...(task.landedSha === undefined ? [] : [landingFact(task.landedSha, entry?.base)]),
    ...(task.state === "waiting" && run === undefined ? [filesFact(task.spec)] : []),
    ...uncountedFacts(task),
  ];
}

function uncountedFacts({ state, spec, disregarded }: CommentView["task"]): readonly string[] {
  const leftOut = state === "landed" ? "" : renderLeftOut(spec);
  const ignored = disregarded === undefined ? "" : `- Not counted: ${escapeReason(disregarded)}`;
  return [leftOut, ignored].filter(Boolean);
}

function runFact({ attempt, runner }: Run, view: CommentView): string {
  // Nothing is said of a run that goes on, because the comment is not written again before it is over.
  const end = endOf(view);
  const outcome = end === undefined ? "" : `: ${renderOutcome(end)}`;
  return `- Attempt ${attempt} of ${view.attemptLimit}, runner ${codeSpan(runner)}${outcome}`;
}

function trainFact(entry: Entry, why: string): string {
  const isSaid = entry.reason.trim() === "" || entry.reason === why;
  const reason = isSaid ? "" : `, ${escapeReason(entry.reason)}`;
  return `- Train of ${codeSpan(entry.base)}: ${entry.state}${reason}`;
}

function landingFact(sha: string, base: string | undefined): string {
  return `- Landed as ${sha}${base === undefined ? "" : ` on ${codeSpan(base)}`}`;
}

function filesFact(spec: Task["spec"]): string {
  if (spec.exclusive) return "- Runs alone: it is marked as exclusive";
  if (spec.claims.length === 0) return "- Runs alone: it declares no files";
  if (!spec.parallelSafe) return "- Runs alone: it is not marked as parallel-safe";
  return `- Files: ${renderClaims(spec.claims)}`;
}

import type { Entry } from "../../domain/entry.ts";
import type { Run } from "../../domain/run.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import { codeSpan, escapeReason } from "./escape-markdown.ts";
import { renderAnswer } from "./render-answer.ts";
import type { AnswerView } from "./render-answer.ts";
import { renderLeftOut, renderOffered } from "./render-issue-text.ts";
import { renderLogTail, renderOutcome } from "./render-outcome.ts";
import { renderClaims } from "./render-paths.ts";

/** Tells our comment from all others; it is the first line of every one. */
export const COMMENT_MARKER = "<!-- wavetrain:task -->";

/** The one comment on a task's issue says all of this. */
export interface CommentView {
  readonly task: Pick<
    Task,
    "state" | "reason" | "wave" | "attempts" | "pull" | "landedSha" | "spec" | "disregarded"
  >;
  /** This is the latest run. */
  readonly run: Pick<Run, "attempt" | "runner" | "outcome"> | undefined;
  /** This is the latest entry in the train. */
  readonly entry: Pick<Entry, "state" | "reason" | "base"> | undefined;
  readonly attemptLimit: number;
  /** It answers the last command on the issue. */
  readonly answer?: AnswerView | undefined;
}

const TITLES: Readonly<Record<TaskState, string>> = {
  waiting: "Waiting",
  blocked: "Blocked",
  running: "Started",
  review: "Waiting for review",
  queued: "In the train",
  landed: "Landed",
  failed: "Given up",
  cancelled: "Cancelled",
};

const ADVICE: Readonly<Partial<Record<TaskState, string>>> = {
  running:
    "Its pull request is linked below when there is one; `/explain` says where it is meanwhile.",
  blocked: "Edit the issue to put it right; it is read again when it changes.",
  review: "Approve the pull request and it lands. Request changes and a run works on them.",
  failed: "Move the card to the ready column to try again, or say `/retry`.",
  cancelled: "Move the card to the ready column to start again, or say `/retry`.",
};

/** Writes the one comment on a task's issue, which is edited in place. The same view gives the same text. */
export function renderComment(view: CommentView): string {
  const { task, run } = view;
  const wave = task.state === "waiting" && task.wave !== undefined ? ` · wave ${task.wave}` : "";
  const parts = [
    `${COMMENT_MARKER}\n**${TITLES[task.state]}**${wave}`,
    renderReason(task.reason),
    factsOf(view).join("\n"),
    task.state === "landed" ? "" : renderLogTail(run?.outcome),
    renderOffered(task.spec),
    adviceFor(task),
    renderAnswer(view.answer),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Where nobody has accepted what the issue says, someone with write access has to. */
function adviceFor({ state, spec }: CommentView["task"]): string {
  const isHeld = state === "blocked" && spec.invalid?.code === "untrusted";
  return isHeld ? ACCEPT : (ADVICE[state] ?? "");
}

const ACCEPT =
  "Someone with write access accepts it as it is then: move the card to the ready column, or say `/retry`.";

function renderReason(reason: string): string {
  return reason.trim() === "" ? "" : `> ${escapeReason(reason)}`;
}

function factsOf({ task, run, entry, attemptLimit }: CommentView): readonly string[] {
  return [
    ...(run === undefined ? [] : [runFact(run, attemptLimit)]),
    ...(task.pull === undefined ? [] : [`- Pull request: #${task.pull}`]),
    ...(entry === undefined || task.state === "landed" ? [] : [trainFact(entry)]),
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

function runFact(run: NonNullable<CommentView["run"]>, limit: number): string {
  // Nothing is said of a run that goes on, because the comment is not written again before it is over.
  const outcome = run.outcome === undefined ? "" : `: ${renderOutcome(run.outcome)}`;
  return `- Attempt ${run.attempt} of ${limit}, runner ${codeSpan(run.runner)}${outcome}`;
}

function trainFact(entry: NonNullable<CommentView["entry"]>): string {
  const reason = entry.reason.trim() === "" ? "" : `, ${escapeReason(entry.reason)}`;
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

import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { PullRequest } from "../domain/board.ts";
import { failureClassOf } from "../domain/failure.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { ReworkKind, Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { formatDuration } from "../shared/format.ts";

export interface FeedbackSnapshot {
  readonly now: Instant;
  readonly readAt: number;
  readonly task: Task;
  readonly pull: PullRequest | undefined;
  /** These are the runs of the task. */
  readonly runs: readonly Run[];
  readonly feedback: RepoConfig["feedback"];
}

export type FeedbackDecision =
  | { readonly kind: "none" }
  /** The reading of GitHub is older than the task's last run. */
  | { readonly kind: "read-again" }
  | Wait
  | { readonly kind: "give-up"; readonly reason: string }
  /** Someone wants something, and it has to be read what exactly. `asked` names the reviews or checks that ask. */
  | { readonly kind: "look"; readonly at: ReworkKind; readonly asked: readonly string[] };

export interface Wait {
  readonly kind: "wait";
  readonly until: Instant;
  /** It is undefined where a failed run is what is waited after. */
  readonly reason?: string;
}

const NONE = { kind: "none" } as const;

/** Decides whether somebody waits for a further run on the task's pull request. */
export function decideFeedback(snapshot: FeedbackSnapshot): FeedbackDecision {
  const { task, pull } = snapshot;
  if (task.state !== "review") return NONE;
  if (snapshot.readAt <= task.changedAt)
    return goesOn(snapshot) || isAsked(snapshot) ? { kind: "read-again" } : NONE;
  if (pull === undefined || pull.draft) return NONE;
  return afterPause(onReviews(pull, snapshot) ?? onChecks(pull, snapshot) ?? NONE, snapshot);
}

/** A pause after a failed run is waited for, too, whatever is asked meanwhile. */
function afterPause(
  asked: FeedbackDecision,
  { task, now }: Pick<FeedbackSnapshot, "task" | "now">,
): FeedbackDecision {
  const until = task.notBefore ?? now;
  if (asked.kind === "none" || until <= now) return asked;
  return asked.kind === "wait" && asked.until >= until ? asked : { kind: "wait", until };
}

/** The run before went on with the pull request and did not get through: the feedback that asked for it still does. */
function goesOn({ runs }: FeedbackSnapshot): boolean {
  const last = runs.at(-1);
  return last?.rework !== undefined && last.outcome?.kind !== "succeeded";
}

/** A reviewer who is faster than the end of the run is in a reading from before it, and no news will tell of the review again. */
function isAsked(snapshot: FeedbackSnapshot): boolean {
  const { pull } = snapshot;
  if (pull === undefined || pull.draft) return false;
  return (onReviews(pull, snapshot) ?? onChecks(pull, snapshot)) !== undefined;
}

function onReviews(pull: PullRequest, snapshot: FeedbackSnapshot): FeedbackDecision | undefined {
  const { now, runs, feedback } = snapshot;
  const answered = answeredBy(runs);
  const since = beganAt(runs);
  const open = pull.changesRequested.filter(({ id, at }) => !answered.has(id) && at >= since);
  if (open.length === 0) return undefined;
  const until = instant(Math.max(...open.map(({ at }) => at)) + feedback.quiet);
  if (until > now) return quietWait("review", until, snapshot);
  const asked = open.map(({ id }) => id);
  return overLimit("review", snapshot) ?? { kind: "look", at: "review", asked };
}

/** A head has one answer: the next commit is judged anew. */
function onChecks(pull: PullRequest, snapshot: FeedbackSnapshot): FeedbackDecision | undefined {
  const name = `checks of ${pull.head}`;
  if (!pull.checksFailed || answeredBy(snapshot.runs).has(name)) return undefined;
  return { kind: "look", at: "checks", asked: [name] };
}

export function answeredBy(runs: readonly Run[]): ReadonlySet<string> {
  const done = runs.filter(({ outcome }) => outcome?.kind === "succeeded");
  return new Set(done.flatMap(({ rework }) => rework?.answers ?? []));
}

/** Returns when the change was last started over: earlier feedback is about another change. GitHub's times are in whole seconds. */
export function beganAt(runs: readonly Run[]): number {
  const first = runs.findLast(({ rework }) => rework === undefined);
  return Math.floor((first?.queuedAt ?? 0) / 1000) * 1000;
}

/** Says that a run begins once nobody has added anything for a while. */
export function quietWait(
  kind: ReworkKind,
  until: Instant,
  { task, feedback }: Pick<FeedbackSnapshot, "task" | "feedback">,
): Wait {
  const quiet = formatDuration(feedback.quiet);
  const reason = `${WORDS[kind]} on #${task.pull ?? 0}; a run starts after ${quiet} of quiet`;
  return { kind: "wait", until, reason };
}

const WORDS: Readonly<Record<ReworkKind, string>> = {
  review: "changes are requested",
  checks: "checks fail",
};

/** Says why no further run answers, if as many as allowed have done so already. */
export function overLimit(
  kind: ReworkKind,
  { task, runs, feedback }: FeedbackSnapshot,
): Extract<FeedbackDecision, { kind: "give-up" }> | undefined {
  const rounds = runs.filter(
    ({ rework, outcome, queuedAt }) =>
      rework?.kind === kind &&
      queuedAt >= task.readySince &&
      outcome !== undefined &&
      (outcome.kind === "succeeded" || failureClassOf(outcome) !== undefined),
  ).length;
  const limit = kind === "review" ? feedback.limit.reviews : feedback.limit.checks;
  if (rounds < limit) return undefined;
  const times = rounds === 1 ? "1 run" : `${rounds} runs`;
  const reason = `${WORDS[kind]} on #${task.pull ?? 0} after ${times} worked on that, which is the limit`;
  return { kind: "give-up", reason };
}

import { instant } from "../../domain/ids.ts";
import type { Instant, Sha, TaskId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Exploration } from "../../domain/exploration.ts";
import { isContest } from "../../domain/explore/words.ts";
import { lastingReason, reasonOf } from "../../domain/story/reason-of.ts";
import { presentExploring } from "../../domain/story/task-story.ts";
import type { TaskStory } from "../../domain/story/task-story.ts";
import type { Task } from "../../domain/task.ts";
import type { Train } from "../../domain/train.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { HALTED, renderBaseCheck, renderCheck } from "../render/render-check.ts";
import type { CheckText } from "../render/render-check.ts";

/** They are in the order of their importance. */
export const REPORT_KINDS = ["check", "card", "comment"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** People should see this report. */
export interface DueReport {
  readonly kind: ReportKind;
  /** It names the place of the report; the newest report takes the place of older ones. */
  readonly key: string;
  /** It changes when there is something else to say. */
  readonly version: string;
  readonly dueAt: Instant;
}

/** This is a commit that has a check run, with the story that the check run tells. */
export interface Checked {
  readonly story: TaskStory;
  readonly head: Sha;
}

/** Most pull requests of a team are approved later than this; one that is approved sooner lands with its verdict as the only report. */
const UNREVIEWED_AFTER_MS = 15_000;
/** A report that has waited for ten seconds goes before a new one that is one class more important. */
const AGEING_MS = 10_000;
/** Evaluations end one after the other: the comment tells of several at once. */
const EXPLORING_EVERY_MS = 60_000;

export interface CommentTiming {
  /** The comment was last written at this time. */
  readonly saidAt: Instant | undefined;
  /** What `exploreStep` says is in it. */
  readonly isStepSaid: boolean;
  readonly waitingAfterMs: number;
}

/** Says when the comment on the task's issue is worth a write. */
export function commentDueAt(story: TaskStory, timing: CommentTiming): Instant {
  const { saidAt, waitingAfterMs } = timing;
  const { task, train, position } = story;
  const exploring = exploringDueAt(story, timing);
  if (exploring !== undefined) return exploring;
  // A halt is told once for each train at once: to the first in line.
  if (train?.state === "halted" && position === 1)
    return instant(Math.max(task.changedAt, train.changedAt));
  switch (task.state) {
    case "running":
    case "blocked":
    case "landed":
    case "failed":
    case "cancelled":
      return task.changedAt;
    // The board says at once why a task waits; the comment repeats it only once in a while.
    case "waiting":
    case "review":
    case "queued":
      return instant(Math.max(task.changedAt, saidAt ?? 0, stoodSince(train)) + waitingAfterMs);
    default:
      return assertNever(task.state);
  }
}

/** Names the step of an exploration that people are told of at once: it was opened, a level of it was, or it is over. It is empty where there is none. */
export function exploreStep(story: TaskStory): string {
  const exploration = followedExploration(story);
  return exploration === undefined ? "" : `${exploration.id}@${exploration.changedAt}`;
}

/** Several contenders are told of when one is taken. */
function followedExploration(story: TaskStory): Exploration | undefined {
  const exploration = presentExploring(story)?.exploration;
  return exploration === undefined || isContest(exploration) ? undefined : exploration;
}

function exploringDueAt(
  story: TaskStory,
  { saidAt = instant(0), isStepSaid }: CommentTiming,
): Instant | undefined {
  const exploration = followedExploration(story);
  if (exploration === undefined) return undefined;
  if (!isStepSaid) return exploration.changedAt;
  const isAtWork = reasonOf(story).whereabouts === "exploring";
  return isAtWork ? instant(saidAt + EXPLORING_EVERY_MS) : undefined;
}

/** Whoever waits in a train that stands waits for something else since then. */
function stoodSince(train: Train | undefined): number {
  return train === undefined || train.state === "running" ? 0 : train.changedAt;
}

interface CheckTiming {
  readonly waitingAfterMs: number;
  /** Somebody gave a command on the task's issue then, and was answered. */
  readonly askedAt: Instant | undefined;
  /** The commit's check run says that the change is verified. */
  readonly isGreen: boolean;
}

/** Says whether the check run is worth a write, and when. The train itself reports that a change is verified, right before it lands. */
export function checkReport({ story, head }: Checked, timing: CheckTiming): DueReport | undefined {
  if (isToldByTrain(story)) return undefined;
  const text = renderCheck(story);
  const key = `check:${head}`;
  // People could merge by a check that is green although the change is not verified any more.
  if (timing.isGreen && isPending(text)) {
    return { kind: "check", key, version: "not green any more", dueAt: story.task.readySince };
  }
  const dueAt = checkDueAt(story, text, timing);
  return { kind: "check", key, version: checkVersion(text), dueAt };
}

/** An entry that is verified, or in GitHub's own queue, where it has no candidate of ours, has the check run that lets it land. */
function isToldByTrain({ entry }: TaskStory): boolean {
  if (entry?.state === "verifying") return entry.candidate === undefined;
  return entry?.state === "verified" || entry?.state === "landing";
}

function checkDueAt(
  { task, train }: TaskStory,
  text: CheckText,
  { waitingAfterMs, askedAt = instant(0) }: Pick<CheckTiming, "waitingAfterMs" | "askedAt">,
): Instant {
  if (text.title === HALTED.title && train !== undefined) {
    // A red base ends by itself: unless somebody asks, the others in line hear of it only if it lasts.
    const lasts = train.cause === "red-base" && askedAt < train.changedAt;
    return instant(Math.max(task.changedAt, train.changedAt) + (lasts ? waitingAfterMs : 0));
  }
  // An approved change lands soon, and its verdict is all that has to be reported.
  const unsaidMs = task.state === "queued" ? waitingAfterMs : UNREVIEWED_AFTER_MS;
  return instant(task.changedAt + (isPending(text) ? Math.min(unsaidMs, waitingAfterMs) : 0));
}

/**
 * The place in the train is no part of the version: it would cost a write for each waiting change at every step. It goes along with what is
 * written anyway.
 */
export function checkVersion(text: CheckText): string {
  // Whoever is waited for has to know what to do.
  if (text.title === HALTED.title) return `pending: ${text.summary}`;
  if (isPending(text)) return "pending";
  return text.status === "success" ? GREEN : `${text.status}: ${text.title}`;
}

/** This is the version of every text that says that a change is verified. */
export const GREEN = "success";

/** Tells whether a check run with this text is under way, so that a rule that requires it holds a merge back. */
export function isPending({ status }: Pick<CheckText, "status">): boolean {
  return status === "queued" || status === "in-progress";
}

/** Finds the commit of the task's open pull request, which its last run pushed, or the one that the train sent back. */
export function checkedCommit(story: TaskStory, runs: readonly Run[]): Checked | undefined {
  return underReview(story) ?? sentBack(story, runs) ?? givenUp(story, runs);
}

function underReview(story: TaskStory): Checked | undefined {
  const { task, run } = story;
  if (task.state !== "review" && task.state !== "queued") return undefined;
  return run?.outcome?.kind === "succeeded" ? { story, head: run.outcome.head } : undefined;
}

/** Finds the run that made the commit that was sent back: its check run must not wait for ever. */
function sentBack(story: TaskStory, runs: readonly Run[]): Checked | undefined {
  const { task, entry } = story;
  if (entry?.state !== "rejected" || !ENDED_REVIEW.has(task.state)) return undefined;
  const made = runs.findLast(
    ({ outcome }) => outcome?.kind === "succeeded" && outcome.head === entry.head,
  );
  return { story: { ...story, run: made }, head: entry.head };
}

/** Finds what the last good run pushed to a pull request on which nobody works any more: who looks at it has to learn that. */
function givenUp(story: TaskStory, runs: readonly Run[]): Checked | undefined {
  const { task } = story;
  if (task.state !== "failed" || task.pull === undefined) return undefined;
  const outcomes = runs.flatMap((run) => (run.task === task.id ? (run.outcome ?? []) : []));
  const pushed = outcomes.findLast((outcome) => outcome.kind === "succeeded");
  return pushed === undefined ? undefined : { story, head: pushed.head };
}

const ENDED_REVIEW: ReadonlySet<Task["state"]> = new Set(["waiting", "running", "failed"]);

/** Puts the most important first; nothing waits for ever behind more important reports. */
export function inOrderOfWorth<T extends DueReport>(due: readonly T[]): readonly T[] {
  const rank = ({ kind, dueAt }: DueReport): number =>
    dueAt + AGEING_MS * REPORT_KINDS.indexOf(kind);
  return due.toSorted((a, b) => rank(a) - rank(b));
}

/** Says that the base branch itself fails, on its commit and once for each train. */
export function baseReport(train: Train): (DueReport & { readonly head: Sha }) | undefined {
  const { haltedAt: head, state, cause, changedAt: dueAt } = train;
  if (head === undefined || (state === "halted" && cause !== "red-base")) return undefined;
  const version = checkVersion(renderBaseCheck(train));
  return { kind: "check", key: `base:${head}`, version, dueAt, head };
}

/** Returns everything of a task's story that its comment tells. */
export function storyVersion(story: TaskStory): string {
  const { task, entry } = story;
  const { state, wave, attempts, pull, landedSha, disregarded, specHash } = task;
  const reason = lastingReason(story);
  const ran = ranVersion(story);
  const rides = [entry?.id, entry?.state, entry?.reason];
  return JSON.stringify([
    state,
    reason,
    wave,
    attempts,
    pull,
    landedSha,
    ...ran,
    ...rides,
    disregarded,
    specHash,
  ]);
}

/** Which of several runs leads is not told, but how many began and how many have ended. */
function ranVersion(story: TaskStory): readonly unknown[] {
  const { run } = story;
  if (reasonOf(story).whereabouts !== "exploring") return [run?.id, run?.outcome?.kind];
  if (followedExploration(story) === undefined) return [run?.attempt];
  const runs = presentExploring(story)?.runs ?? [];
  return [runs.length, runs.filter(({ state }) => state === "finished").length];
}

export function commentKey(task: TaskId): string {
  return `comment:${task}`;
}

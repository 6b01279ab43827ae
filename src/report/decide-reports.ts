import { instant } from "../domain/ids.ts";
import type { Instant, Sha, TaskId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";
import { STANDS, renderCheck } from "./render-check.ts";
import type { CheckText } from "./render-check.ts";
import type { TaskStory } from "./task-story.ts";

/** In the order of their worth. */
export const REPORT_KINDS = ["check", "card", "comment"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Something that people should see. */
export interface DueReport {
  readonly kind: ReportKind;
  /** Names the place: what is newest takes it. */
  readonly key: string;
  /** Another one when there is something else to say. */
  readonly version: string;
  readonly dueAt: Instant;
}

/** The commit whose check run is told, with the story that it tells. */
export interface Checked {
  readonly story: TaskStory;
  readonly head: Sha;
}

/** Most pull requests of a team are approved later than this; one that is lands with its verdict as the only word. */
const UNREVIEWED_AFTER_MS = 15_000;
/** A card that has waited for ten seconds goes before what has just come up and is worth one class more. */
const AGEING_MS = 10_000;

export interface CommentSituation {
  readonly task: Task;
  /** When the comment was last written. */
  readonly saidAt: Instant | undefined;
  readonly waitingAfterMs: number;
}

/** When the comment on the task's issue is worth a write; undefined while it is not. */
export function commentDueAt({ task, saidAt, waitingAfterMs }: CommentSituation): Instant {
  switch (task.state) {
    case "running":
    case "blocked":
    case "landed":
    case "failed":
    case "cancelled":
      return task.changedAt;
    // The board says at once why it waits; whoever is told by a comment is told once in a while.
    case "waiting":
    case "review":
    case "queued":
      return instant(Math.max(task.changedAt, saidAt ?? 0) + waitingAfterMs);
    default:
      return assertNever(task.state);
  }
}

/** What the check run says is worth a write, and when. The train itself says that a change is verified, right before it lands. */
export function checkReport(
  { story, head }: Checked,
  waitingAfterMs: number,
): DueReport | undefined {
  const { task, entry } = story;
  if (entry?.state === "verified" || entry?.state === "landing") return undefined;
  const text = renderCheck(story);
  const waits = isPending(text) && text.title !== STANDS.title;
  // What is approved lands soon, and its verdict is all that is to be said.
  const unsaidMs = task.state === "queued" ? waitingAfterMs : UNREVIEWED_AFTER_MS;
  const dueAt = instant(task.changedAt + (waits ? Math.min(unsaidMs, waitingAfterMs) : 0));
  return { kind: "check", key: `check:${head}`, version: verdictOf(text), dueAt };
}

/** Where it is in the train goes along with what is written anyway: every step forward of everyone would cost a write of each. */
export function verdictOf(text: CheckText): string {
  // Whoever is waited for has to know what to do.
  if (text.title === STANDS.title) return `pending: ${text.summary}`;
  if (isPending(text)) return "pending";
  return text.status === "success" ? "success" : `${text.status}: ${text.title}`;
}

function isPending({ status }: Pick<CheckText, "status">): boolean {
  return status === "queued" || status === "in-progress";
}

/** The commit of the task's open pull request, which its last run pushed, or the one that the train sent back. */
export function checkedCommit(story: TaskStory, runs: readonly Run[]): Checked | undefined {
  return underReview(story) ?? sentBack(story, runs);
}

function underReview(story: TaskStory): Checked | undefined {
  const { task, run } = story;
  if (task.state !== "review" && task.state !== "queued") return undefined;
  return run?.outcome?.kind === "succeeded" ? { story, head: run.outcome.head } : undefined;
}

/** With the run that made it: its check run must not wait for ever. */
function sentBack(story: TaskStory, runs: readonly Run[]): Checked | undefined {
  const { task, entry } = story;
  if (entry?.state !== "rejected" || !ENDED_REVIEW.has(task.state)) return undefined;
  const made = runs.findLast(
    ({ outcome }) => outcome?.kind === "succeeded" && outcome.head === entry.head,
  );
  return { story: { ...story, run: made }, head: entry.head };
}

const ENDED_REVIEW: ReadonlySet<Task["state"]> = new Set(["waiting", "running", "failed"]);

/** The most worthy first; nothing waits for ever behind what is worth more. */
export function inOrderOfWorth<T extends DueReport>(due: readonly T[]): readonly T[] {
  const rank = ({ kind, dueAt }: DueReport): number =>
    dueAt + AGEING_MS * REPORT_KINDS.indexOf(kind);
  return due.toSorted((a, b) => rank(a) - rank(b));
}

/** Everything of a task's story that its comment tells. */
export function storyVersion({ task, run, entry }: TaskStory): string {
  const { state, reason, wave, attempts, pull, landedSha, disregarded, specHash } = task;
  const ran = [run?.id, run?.outcome?.kind];
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

export function commentKey(task: TaskId): string {
  return `comment:${task}`;
}

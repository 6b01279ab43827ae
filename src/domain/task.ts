import type { Claim } from "./claim.ts";
import type { Instant, RepoName, Sha, TaskId } from "./ids.ts";
import type { Blocked, Priority, Size } from "./plan.ts";

/** What an issue asks for, as read from it: the rules of the task. */
export interface TaskSpec {
  readonly title: string;
  readonly body: string;
  readonly claims: readonly Claim[];
  readonly dependsOn: readonly TaskId[];
  readonly parallelSafe: boolean;
  readonly exclusive: boolean;
  readonly priority: Priority;
  readonly size: Size | undefined;
  readonly runner: string | undefined;
  readonly parent: TaskId | undefined;
  /** `objective`: the run proposes tasks and changes nothing; absent for every other. */
  readonly kind?: "objective";
  /** The objective that the task is part of, if it is part of one. */
  readonly objective?: TaskId;
  /** Runs of one attempt, of which the best is taken; one where it is left out. */
  readonly candidates?: number;
  readonly invalid: Blocked["cause"] | undefined;
  /** What the issue says now, where nobody with the right to it has accepted that; the words above are those that were. */
  readonly offered?: { readonly title: string; readonly body: string } | undefined;
}

export type TaskState =
  "waiting" | "blocked" | "running" | "review" | "queued" | "landed" | "failed" | "cancelled";

export interface Task {
  readonly id: TaskId;
  readonly repo: RepoName;
  readonly issue: number;
  readonly cardId: string;
  readonly spec: TaskSpec;
  /** Hash of the spec: completed work is never done twice for the same spec and attempt. */
  readonly specHash: string;
  readonly state: TaskState;
  /** Why it is in this state, as a sentence. */
  readonly reason: string;
  readonly wave: number | undefined;
  /** Runs ever queued for this task: numbers the next one, never goes back. */
  readonly attempts: number;
  /** Runs that failed since a person last asked for the task: what the limit counts. */
  readonly failures: number;
  /** Waiting tasks are not started before this. */
  readonly notBefore: Instant | undefined;
  readonly branch: string | undefined;
  readonly pull: number | undefined;
  readonly landedSha: Sha | undefined;
  readonly readySince: Instant;
  readonly changedAt: Instant;
  /** Whose gesture stands for it; undefined when nobody's does. */
  readonly acceptedBy: string | undefined;
  /** When the last gesture was made that counted, by GitHub's clock: it does not count twice. */
  readonly acceptedAt: Instant | undefined;
  /** Hash of the title and body that were accepted: what runs is that. */
  readonly acceptedText: string | undefined;
  /** What somebody without the right to it did last, as a sentence that says that it does not count. */
  readonly disregarded: string | undefined;
  /** When its card was last moved by such a person; it is put back once for each. */
  readonly strayedAt: Instant | undefined;
}

/** Which states may follow which. `landed` is final: GitHub reporting a merged pull request as open again changes nothing. */
const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  // To itself: a person ends its pause.
  waiting: ["waiting", "running", "blocked", "cancelled", "landed"],
  blocked: ["running", "waiting", "cancelled", "landed"],
  running: ["review", "queued", "waiting", "failed", "cancelled"],
  review: ["queued", "running", "waiting", "landed", "failed", "cancelled"],
  queued: ["review", "landed", "waiting", "failed", "cancelled"],
  failed: ["waiting", "cancelled", "landed"],
  cancelled: ["waiting", "landed"],
  landed: [],
};

export function mayFollow(from: TaskState, to: TaskState): boolean {
  return NEXT[from].includes(to);
}

/** Claims are held from the start of a run until the change has landed or is given up. */
export function holdsClaims(state: TaskState): boolean {
  return state === "running" || state === "review" || state === "queued";
}

/** Waiting to be run, or at work: what a plan is made of. */
export function isPlanned(state: TaskState): boolean {
  return state === "waiting" || state === "blocked" || holdsClaims(state);
}

export function isTerminal(state: TaskState): boolean {
  return state === "landed" || state === "failed" || state === "cancelled";
}

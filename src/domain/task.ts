import type { Claim } from "./claim/claim.ts";
import type { ExploreSpec } from "./exploration.ts";
import type { Instant, RepoName, Sha, TaskId, RunId } from "./ids.ts";
import type { Blocked, Priority, Size } from "./plan.ts";
import type { Rework } from "./run.ts";

/** An issue asks for this: it holds the rules of the task, as read from the issue. */
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
  /** `objective` means that the run proposes tasks and changes nothing; every other task has no kind. */
  readonly kind?: "objective";
  /** The task is part of this objective, if it is part of one. */
  readonly objective?: TaskId;
  /** One attempt has this many runs, and the best is taken; it has one where this is left out. */
  readonly contenders?: number;
  /** One attempt is an exploration of these ideas. */
  readonly explore?: ExploreSpec;
  readonly invalid: Blocked["cause"] | undefined;
  /** The issue says this now, and nobody with the right to it has accepted it; title and body above are the accepted ones. */
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
  /** This is the hash of the spec: completed work is never done twice for the same spec and attempt. */
  readonly specHash: string;
  readonly state: TaskState;
  /** A sentence says why it is in this state. */
  readonly reason: string;
  readonly wave: number | undefined;
  /** It counts the runs ever queued for this task. It numbers the next one and never goes back. */
  readonly attempts: number;
  /** It counts the runs that failed since a person last asked for the task. The limit of attempts is held against it. */
  readonly failures: number;
  /** Waiting tasks are not started before this, nor is a run that works on what was said in a review. */
  readonly notBefore: Instant | undefined;
  readonly branch: string | undefined;
  readonly pull: number | undefined;
  readonly landedSha: Sha | undefined;
  readonly readySince: Instant;
  readonly changedAt: Instant;
  /** This person's gesture stands for it; it is undefined when nobody's does. */
  readonly acceptedBy: string | undefined;
  /** The last gesture that counted was made then, by GitHub's clock: it does not count twice. */
  readonly acceptedAt: Instant | undefined;
  /** This is the hash of the accepted title and body: only those run. */
  readonly acceptedText: string | undefined;
  /** A sentence says what somebody without the right to it did last, and that it does not count. */
  readonly disregarded: string | undefined;
  /** Such a person last moved its card then; the card is put back once for each such move. */
  readonly strayedAt: Instant | undefined;
  /** Somebody wants a run to go on with the change, which is in review. Whatever moves the task clears it. */
  readonly rework?: AskedRework | undefined;
}

export interface AskedRework extends Rework {
  /** This is the time of the reading that showed it. An older reading cannot tell that nobody asks any more. */
  readonly seenAt: number;
}

/** A task at work holds these claims. It takes all or nothing when its run is queued, and holds them until the change has landed or is given up. */
export interface ClaimHold {
  readonly task: TaskId;
  readonly run: RunId;
  readonly claims: readonly Claim[];
  /** The fence tells this hold from every other in the repository; a later one has a higher number. */
  readonly fence: number;
  readonly takenAt: Instant;
}

/** The table says which states may follow which. `landed` is final: GitHub reporting a merged pull request as open again changes nothing. */
const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  // It follows itself when a person ends its pause.
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

/** A plan is made of tasks that wait to be run or are at work. */
export function isPlanned(state: TaskState): boolean {
  return state === "waiting" || state === "blocked" || holdsClaims(state);
}

/** Returns the claims that a task holds, or else those that it declares. */
export function claimsOf(task: Task, holds: readonly ClaimHold[]): readonly Claim[] {
  return holds.find((hold) => hold.task === task.id)?.claims ?? task.spec.claims;
}

export function withClaims(held: readonly Claim[], add: readonly Claim[]): readonly Claim[] {
  const fresh = add.filter(
    ({ mode, pattern }) => !held.some((one) => one.mode === mode && one.pattern === pattern),
  );
  return [...held, ...fresh];
}

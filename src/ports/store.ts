import type { Change, Intent } from "../domain/change.ts";
import type { ClaimHold } from "../domain/claim-hold.ts";
import type { Entry } from "../domain/entry.ts";
import type { EndedRun } from "../domain/ended-run.ts";
import type { GivenCommand, RepoPause } from "../domain/given-command.ts";
import type { Instant, RepoName, RunId, Sha, TaskId } from "../domain/ids.ts";
import type { Size } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import type { Signal } from "../domain/signal.ts";
import type { Task, TaskState } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { Verdict } from "../domain/verdict.ts";

/** What the store remembers of one repository that can still matter: its cost does not grow with history. */
export interface RepoMemory {
  /** Every open task, and those that landed or were cancelled within a day, or failed within thirty. */
  readonly tasks: readonly Task[];
  /** Runs that have not ended, and all runs of every task above; oldest first. */
  readonly runs: readonly Run[];
  /** Open entries, and those that ended within the last day; oldest first. */
  readonly entries: readonly Entry[];
  readonly intents: readonly Intent[];
  readonly trains: readonly Train[];
  /** Claims of the tasks at work, in the order in which they were taken. */
  readonly holds: readonly ClaimHold[];
  /** Grows by one with every taking or extension of claims; never goes back. */
  readonly fence: number;
}

/** The right to do something that one at a time may do, until `expiresAt`. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows with every change of holder: a former holder is known by a lower number. */
  readonly fence: number;
  readonly expiresAt: Instant;
}

export type Acquired =
  | { readonly kind: "held"; readonly lease: Lease }
  | { readonly kind: "busy"; readonly holder: string; readonly until: Instant };

/** By what right something is written. `fence` of a run is that of its task's claims. */
export type Proof =
  | { readonly kind: "run"; readonly run: RunId; readonly fence: number }
  | { readonly kind: "lease"; readonly lease: Lease };

/** What was last written for people, so that nothing is written twice. `key` names the place, e.g. `comment:owner/name#12`. */
export interface Publication {
  readonly key: string;
  readonly remoteId: string;
  readonly digest: string;
}

/** A run with what its task is today: estimates are learned by size. */
export interface FinishedRun extends Run {
  readonly size: Size | undefined;
}

export interface RecordedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly repo: RepoName;
  readonly subject: string;
  readonly change: Change;
  readonly hash: string;
}

export interface Store {
  /**
   * Writes all changes and their events in one transaction, or none of them: `AppError("store-conflict")` when a guard does not hold,
   * `AppError("store-fenced")` when the proof no longer does: the lease is lost or over, the run is finished or was silent for too long.
   */
  record(repo: RepoName, changes: readonly Change[], proof?: Proof): Promise<void>;
  /** Whether exactly these changes are in the log: for whoever lost the answer. */
  isRecorded(repo: RepoName, changes: readonly Change[]): Promise<boolean>;
  readRepo(repo: RepoName): Promise<RepoMemory>;
  /** Tasks by id, whatever their age; unknown ids are absent. */
  tasks(ids: readonly TaskId[]): Promise<readonly Task[]>;
  /** All runs of the tasks, whatever their age; oldest first. */
  runsOf(tasks: readonly TaskId[]): Promise<readonly Run[]>;
  /** States of tasks by id, whatever their age; unknown ids are absent. */
  taskStates(ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskState>>;
  /** Says that the run is at work; false when it has ended, so that its result is no longer wanted. */
  heartbeat(run: RunId, at: Instant): Promise<boolean>;
  /** Everything that verifications by this command said of the tree, oldest first. */
  verdicts(repo: RepoName, tree: Sha, commandHash: string): Promise<readonly Verdict[]>;

  /** A holder that asks again gets a new number: what it did under the old one counts as someone else's. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Acquired>;
  /** The lease with a later end; undefined when it is over or someone else's. */
  renewLease(lease: Lease, ttlMs: number): Promise<Lease | undefined>;
  releaseLease(lease: Lease): Promise<void>;

  /** Durable when it resolves. */
  addSignal(signal: Signal): Promise<"new" | "duplicate">;
  /** Which of these deliveries became a signal. */
  knownSignals(deliveryIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Signals that no tick has seen yet. */
  unseenSignals(): Promise<readonly Signal[]>;
  markSeen(deliveryIds: readonly string[], at: Instant): Promise<void>;
  /** Marks all that came before, whatever they concern: nobody may be watching the repository that a signal names. */
  markSeenBefore(before: Instant, at: Instant): Promise<number>;
  /** Drops seen signals that came before; a delivery that is dropped would count as new. */
  forgetSignals(before: Instant): Promise<number>;

  /** Undefined: nobody has taken it yet. */
  command(id: string): Promise<GivenCommand | undefined>;
  /** Commands that are decided and whose effects are still due, oldest first. */
  pendingCommands(repo: RepoName): Promise<readonly GivenCommand[]>;
  /** All commands about these issues, oldest first. */
  answersOn(repo: RepoName, issues: readonly number[]): Promise<readonly GivenCommand[]>;
  /** By whom the repository is paused, if it is. */
  pauseOf(repo: RepoName): Promise<RepoPause | undefined>;

  publication(key: string): Promise<Publication | undefined>;
  /** By their keys; places where nothing was written are absent. */
  publications(keys: readonly string[]): Promise<ReadonlyMap<string, Publication>>;
  savePublication(publication: Publication): Promise<void>;

  events(after: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** Folds the events of tasks that ended before into one each; state, chain and replay stay what they are. */
  compact(before: Instant): Promise<{ readonly tasks: number; readonly events: number }>;
  /** Past successful runs, newest first, for estimates. */
  finishedRuns(repo: RepoName, limit: number): Promise<readonly FinishedRun[]>;
  /** Runs of every repository that ended at or after `since`, newest first, at most 10,000 of them. */
  recentRuns(since: Instant): Promise<readonly EndedRun[]>;
  close(): Promise<void>;
}

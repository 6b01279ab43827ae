import type { Change, Intent } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type { Exploration } from "../domain/exploration.ts";
import type { GivenCommand, RepoPause } from "../domain/given-command.ts";
import type { Instant, RepoName, RunId, Sha, TaskId, TrainId } from "../domain/ids.ts";
import type { Size } from "../domain/plan.ts";
import type { RepoNaming } from "../domain/ids.ts";
import type { EndedRun, Run } from "../domain/run.ts";
import type { Signal } from "../domain/signal.ts";
import type { ClaimHold, Task, TaskState } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { Verdict } from "../domain/verification.ts";

/** The store remembers this of one repository. It holds only what can still matter, so its cost does not grow with history. */
export interface RepoMemory {
  /** These are every open task, and those that landed or were cancelled within a day, or failed within thirty days. */
  readonly tasks: readonly Task[];
  /** These are the runs that have not ended, and all runs of every task above, oldest first. */
  readonly runs: readonly Run[];
  /** These are the open entries, and all entries of every task above, oldest first. */
  readonly entries: readonly Entry[];
  /** These are the explorations of every task above, oldest first. */
  readonly explorations: readonly Exploration[];
  readonly intents: readonly Intent[];
  readonly trains: readonly Train[];
  /** These are the claims of the tasks at work, in the order in which they were taken. */
  readonly holds: readonly ClaimHold[];
  /** This grows by one whenever claims are taken or extended, and never goes back. */
  readonly fence: number;
}

/** Holds what the store remembers of one repository during one tick: it is read once, and again only after a write of that tick. */
export interface StoredRepo {
  read(): Promise<RepoMemory>;
  /** The tick wrote something, so the next `read` asks the store. */
  changed(): void;
}

/** This is the right to do something that only one may do at a time. It lasts until `expiresAt`. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** This grows with every change of holder, so a former holder is known by a lower number. */
  readonly fence: number;
  readonly expiresAt: Instant;
}

export type Acquired =
  | { readonly kind: "held"; readonly lease: Lease }
  | { readonly kind: "busy"; readonly holder: string; readonly until: Instant };

/** Says by what right something is written. The `fence` of a run is that of its task's claims. */
export type Proof =
  | { readonly kind: "run"; readonly run: RunId; readonly fence: number }
  | { readonly kind: "lease"; readonly lease: Lease };

/**
 * Remembers what was last written for people, so that nothing is written twice. `key` names the place, e.g.
 * `comment:owner/name#12`.
 */
export interface Publication {
  readonly key: string;
  readonly remoteId: string;
  readonly digest: string;
}

/** This is a run with the present size of its task, because estimates are learned by size. */
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
   * Writes all changes and their events in one transaction, or none of them. It throws `AppError("store-conflict")` when a guard
   * does not hold, and `AppError("store-fenced")` when the proof no longer does: the lease is lost or over, or the run is finished
   * or was silent for too long.
   */
  record(repo: RepoName, changes: readonly Change[], proof?: Proof): Promise<void>;
  /** Says whether exactly these changes are in the log. A caller that lost the answer of `record` asks this. */
  isRecorded(repo: RepoName, changes: readonly Change[]): Promise<boolean>;
  readRepo(repo: RepoName): Promise<RepoMemory>;
  /** Reads tasks by id, whatever their age. Unknown ids are absent. */
  tasks(ids: readonly TaskId[]): Promise<readonly Task[]>;
  /** Reads all runs of the tasks, whatever their age, oldest first. */
  runsOf(tasks: readonly TaskId[]): Promise<readonly Run[]>;
  /** Reads the states of tasks by id, whatever their age. Unknown ids are absent. */
  taskStates(ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskState>>;
  /** Says that the run is at work. It returns false when the run has ended, so that its result is no longer wanted. */
  heartbeat(run: RunId, at: Instant): Promise<boolean>;
  /** Reads all verdicts that verifications by this command gave of the tree, oldest first. */
  verdicts(repo: RepoName, tree: Sha, commandHash: string): Promise<readonly Verdict[]>;

  /** A holder that asks again gets a new number. What it did under the old number counts as someone else's. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<Acquired>;
  /** Returns the lease with a later end, or undefined when it is over or someone else's. */
  renewLease(lease: Lease, ttlMs: number): Promise<Lease | undefined>;
  releaseLease(lease: Lease): Promise<void>;

  /** The signal is durable when this resolves. */
  addSignal(signal: Signal): Promise<"new" | "duplicate">;
  /** Says which of these deliveries became a signal. */
  knownSignals(deliveryIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reads the signals that no tick has seen yet. */
  unseenSignals(): Promise<readonly Signal[]>;
  markSeen(deliveryIds: readonly string[], at: Instant): Promise<void>;
  /** Deletes seen signals that came before. A deleted delivery would count as new if it came again. */
  forgetSignals(before: Instant): Promise<number>;

  /** The result is undefined when nobody has taken the command yet. */
  command(id: string): Promise<GivenCommand | undefined>;
  /** Reads commands that are decided and whose effects are still due, oldest first. */
  pendingCommands(repo: RepoName): Promise<readonly GivenCommand[]>;
  /** Reads all commands about these issues, oldest first. */
  answersOn(repo: RepoName, issues: readonly number[]): Promise<readonly GivenCommand[]>;
  /** Says who paused the repository, if it is paused. */
  pauseOf(repo: RepoName): Promise<RepoPause | undefined>;

  publication(key: string): Promise<Publication | undefined>;
  /** Reads publications by their keys. Places where nothing was written are absent. */
  publications(keys: readonly string[]): Promise<ReadonlyMap<string, Publication>>;
  savePublication(publication: Publication): Promise<void>;

  events(after: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** Folds the events of each task that ended before into one. State, chain and replay stay the same. */
  compact(before: Instant): Promise<{ readonly tasks: number; readonly events: number }>;
  /** Reads past successful runs for estimates, newest first. */
  finishedRuns(repo: RepoName, limit: number): Promise<readonly FinishedRun[]>;
  /**
   * Reads the runs of every repository that ended at or after `since`, newest first, at most 10,000 of them, and all that were not logged in:
   * their runner waits for a person, however long that takes.
   */
  recentRuns(since: Instant): Promise<readonly EndedRun[]>;
  /** Says when the pause of each runner was last lifted. */
  runnerLifts(): Promise<ReadonlyMap<string, Instant>>;
  /** Reads how the repositories are called that were ever named, and how they were called before. */
  repoNames(): Promise<readonly RepoNaming[]>;
  /** Notes how a repository is called. If it is noted already, only the change `repo-renamed` gives it another name. */
  nameRepo(naming: Pick<RepoNaming, "id" | "repo">): Promise<void>;
  close(): Promise<void>;
}

/** Tells all processes of a store that a repository has news. This is only a hint: it may be lost, and then a timer finds the news. */
export interface WakeUps {
  /** `undefined` stands for every repository. */
  notify(repo: RepoName | undefined): Promise<void>;
  /** `undefined` stands for every repository, because some hints may have been missed. The returned function stops listening. */
  onWake(listener: WakeListener): () => void;
}

export type WakeListener = (repo: RepoName | undefined) => void;

declare const held: unique symbol;

/** Only `withMergeLock` makes one. Having it proves that nobody else lands on this base branch. */
export interface MergeLock {
  readonly [held]: TrainId;
  /** The train's changes are written by the right of this lease. */
  readonly lease: Lease;
}

/** Knows whether the store replaces one that was lost. The app then looks for things on GitHub before it makes them. */
export interface LostStore {
  /** Notes that the store does not know something that an earlier process of the app must have written into it. */
  note(evidence: string): Promise<void>;
  isNoted(): Promise<boolean>;
}

import type { Change, Intent } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant, RepoName, RunId, TaskId } from "../domain/ids.ts";
import type { Size } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import type { Signal } from "../domain/signal.ts";
import type { Task, TaskState } from "../domain/task.ts";

/** What the store remembers of one repository that can still matter: its cost does not grow with history. */
export interface RepoMemory {
  /** Every task that is not landed, and those that landed within the last day. */
  readonly tasks: readonly Task[];
  /** Runs that have not ended, and the last ended one of every task above; oldest first. */
  readonly runs: readonly Run[];
  /** Open entries, and those that ended within the last day; oldest first. */
  readonly entries: readonly Entry[];
  readonly intents: readonly Intent[];
}

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
  /** Writes all changes and their events in one transaction, or none of them: `AppError("store-conflict")` when a guard does not hold. */
  record(repo: RepoName, changes: readonly Change[]): Promise<void>;
  readRepo(repo: RepoName): Promise<RepoMemory>;
  /** States of tasks by id, whatever their age; unknown ids are absent. */
  taskStates(ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskState>>;
  heartbeat(run: RunId, at: Instant): Promise<void>;

  /** Durable when it resolves. */
  addSignal(signal: Signal): Promise<"new" | "duplicate">;
  /** Which of these deliveries became a signal. */
  knownSignals(deliveryIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Signals that no tick has seen yet. */
  unseenSignals(): Promise<readonly Signal[]>;
  markSeen(deliveryIds: readonly string[], at: Instant): Promise<void>;

  publication(key: string): Promise<Publication | undefined>;
  savePublication(publication: Publication): Promise<void>;

  events(after: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** Past successful runs, newest first, for estimates. */
  finishedRuns(repo: RepoName, limit: number): Promise<readonly FinishedRun[]>;
  close(): Promise<void>;
}

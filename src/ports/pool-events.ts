import type { RepoName } from "../domain/ids.ts";

/** This is the queue of one runner for all repositories together. */
export interface QueueState {
  /** So many tasks wait for this runner and for nothing else. */
  readonly waiting: number;
  readonly busy: number;
  readonly free: number;
}

export interface QueueChanged extends QueueState {
  readonly kind: "queue-changed";
  readonly runner: string;
}

/** This is one repository's view after a tick. */
export interface PoolView {
  readonly repo: RepoName;
  /** The key is the runner. */
  readonly waiting: ReadonlyMap<string, number>;
  /** These are the names of the runners under way on this host, one for each run. */
  readonly busy: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
}

/** Tells subscribers and the log whenever the queue of a runner changes. Nothing depends on it: it is for people. */
export interface PoolEvents {
  /** The returned function unsubscribes. */
  subscribe(listener: (event: QueueChanged) => void): () => void;
  queues(): ReadonlyMap<string, QueueState>;
  /** Returns the other repositories that wait for a runner of which a slot came free. */
  update(view: PoolView): readonly RepoName[];
}

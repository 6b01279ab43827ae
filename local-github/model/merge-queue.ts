import type { User } from "./account.ts";
import type { PullRequest } from "./pull-request.ts";
import type { Repository } from "./repository.ts";

/** Is the commit that an entry would land as, on top of the base branch and of the entries before it. */
export interface MergeGroup {
  readonly headRef: string;
  readonly headSha: string;
  readonly baseSha: string;
  readonly commit: {
    readonly tree: string;
    readonly message: string;
    readonly timestamp: string;
    readonly author: { readonly name: string; readonly email: string };
    readonly committer: { readonly name: string; readonly email: string };
  };
}

export interface QueueEntry {
  readonly kind: "merge-queue-entry";
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly queue: MergeQueue;
  readonly pull: PullRequest;
  /** The entry leaves the queue when the pull request gets another head. */
  readonly headSha: string;
  readonly enqueuer: User;
  readonly enqueuedAt: string;
  readonly jump: boolean;
  group: MergeGroup | null;
}

export interface MergeQueue {
  readonly kind: "merge-queue";
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  readonly branch: string;
  readonly entries: QueueEntry[];
}

export type RemovalReason = "MANUAL" | "MERGE" | "MERGE_CONFLICT" | "CI_FAILURE" | "QUEUE_CLEARED";

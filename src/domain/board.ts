import type { RepoName } from "./ids.ts";

/** What a column means; the configuration maps each role to the board's own name for it. */
export type ColumnRole = "ready" | "running" | "review" | "queued" | "done" | "blocked";

export interface IssueRef {
  readonly repo: RepoName;
  readonly number: number;
}

export type IssueState = "open" | "completed" | "not-planned";

/** An issue as GitHub holds it, before any rule of ours is read out of it. */
export interface Issue extends IssueRef {
  readonly nodeId: string;
  readonly title: string;
  readonly body: string;
  readonly state: IssueState;
  /** Open again after it had been closed. */
  readonly reopened?: true;
  readonly labels: readonly string[];
  readonly parent:
    | (IssueRef & {
        readonly labels: readonly string[];
        readonly blockedBy: readonly DependencyIssue[];
      })
    | undefined;
  readonly blockedBy: readonly DependencyIssue[];
}

export interface DependencyIssue extends IssueRef {
  readonly state: IssueState;
  /** Open again after it had been closed. */
  readonly reopened?: true;
}

/** What the app writes beside a card, where the board has a field of that name. */
export type CardFact = "wave" | "runner" | "attempt" | "cost" | "reason";

export type CardFacts = Readonly<Partial<Record<CardFact, string>>>;

/** One issue on the board. `role` is undefined in a column that the configuration does not name. */
export interface Card {
  readonly id: string;
  readonly issue: Issue;
  readonly role: ColumnRole | undefined;
  /** When the card came into its column, as far as the board tells. */
  readonly movedAt: number;
  /** As they are now, empty ones as ""; a field that the board does not have is absent. */
  readonly facts?: CardFacts;
}

export interface Board {
  readonly cards: readonly Card[];
  /** Roles that have no column on the board: cards are never moved there. */
  readonly missingRoles: readonly ColumnRole[];
  /** Roles whose column or label is not there, by that name: what seems to have no role may be in one of them. */
  readonly renamed?: readonly ColumnRole[];
  /** What a person has to put right, a sentence each: a column that is gone, a draft in Ready. */
  readonly hints?: readonly string[];
}

export type ReviewState = "approved" | "changes-requested" | "none";

/** A pull request as the train needs it. */
export interface PullRequest {
  readonly number: number;
  readonly nodeId: string;
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly state: "open" | "closed" | "merged";
  readonly draft: boolean;
  readonly review: ReviewState;
  /** The last word of each person with write access who asks for changes; `id` names the review. */
  readonly changesRequested: readonly { readonly id: string; readonly at: number }[];
  /** Some check of the head failed. */
  readonly checksFailed: boolean;
  /** The people who approved the present head; empty unless `review` is approved. */
  readonly approvedBy: readonly string[];
  /** The programs among those who did. */
  readonly approvedByBots: readonly string[];
  /** The commit that the approvals were given for. */
  readonly approvedHead: string | undefined;
}

/** Everything that one tick reads from GitHub, in one query. */
export interface RepoReading {
  readonly board: Board;
  readonly pulls: readonly PullRequest[];
  readonly readAt: number;
}

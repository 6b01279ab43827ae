import type { RepoName } from "./ids.ts";

/** A role says what a column means; the configuration maps each role to the board's own name for it. */
export type ColumnRole = "ready" | "running" | "review" | "queued" | "done" | "blocked";

export interface IssueRef {
  readonly repo: RepoName;
  readonly number: number;
}

export type IssueState = "open" | "completed" | "not-planned";

/** This is an issue as GitHub holds it, before any rule of ours is read out of it. */
export interface Issue extends IssueRef {
  readonly nodeId: string;
  readonly title: string;
  readonly body: string;
  readonly state: IssueState;
  /** It is open again after it had been closed. */
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
  /** It is open again after it had been closed. */
  readonly reopened?: true;
}

/** The app writes these facts beside a card, where the board has a field of that name. */
export type CardFact = "wave" | "runner" | "attempt" | "cost" | "reason";

export type CardFacts = Readonly<Partial<Record<CardFact, string>>>;

/** A card is one issue on the board. `role` is undefined in a column that the configuration does not name. */
export interface Card {
  readonly id: string;
  readonly issue: Issue;
  readonly role: ColumnRole | undefined;
  /** The card came into its column then, as far as the board tells. */
  readonly movedAt: number;
  /** These are the present facts, empty ones as ""; a field that the board does not have is absent. */
  readonly facts?: CardFacts;
}

export interface Board {
  readonly cards: readonly Card[];
  /** These roles have no column on the board: cards are never moved there. */
  readonly missingRoles: readonly ColumnRole[];
  /** The column or label of these roles does not exist under its configured name: a card that seems to have no role may be in one of them. */
  readonly renamed?: readonly ColumnRole[];
  /** Each sentence names something that a person has to put right: a column that is gone, a draft in Ready. */
  readonly hints?: readonly string[];
  /** Is true if the board itself tells of every change of a card, also of those that come from other repositories. */
  readonly tellsChanges?: boolean;
}

export type ReviewState = "approved" | "changes-requested" | "none";

/** These parts of a pull request are what the train needs. */
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
  /** It has the last word of each person with write access who asks for changes; `id` names the review. */
  readonly changesRequested: readonly { readonly id: string; readonly at: number }[];
  /** Some check of the head failed. */
  readonly checksFailed: boolean;
  /** These people approved the present head; the list is empty unless `review` is approved. */
  readonly approvedBy: readonly string[];
  /** These programs approved the present head, too. */
  readonly approvedByBots: readonly string[];
  /** The approvals were given for this commit. */
  readonly approvedHead: string | undefined;
}

/** One tick reads all this from GitHub, in one query. */
export interface RepoReading {
  readonly board: Board;
  readonly pulls: readonly PullRequest[];
  readonly readAt: number;
}

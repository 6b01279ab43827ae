import type {
  CardFacts,
  ColumnRole,
  DependencyIssue,
  IssueState,
  PullRequest,
  RepoReading,
} from "../domain/board.ts";
import type { LandingMethod } from "../domain/entry.ts";
import type { Instant, RepoName, Sha, TaskId } from "../domain/ids.ts";
import type { FailedCheck, PullReview } from "../domain/pull-review.ts";
import type { Provenance } from "../domain/provenance.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { WriteKind } from "./api-budget.ts";
import type { IssueWriter } from "./issue-writer.ts";
import type { MergeLock } from "./merge-lock.ts";
import type { RepoConfig } from "../config/schema.ts";

export interface InstalledRepo {
  readonly repo: RepoName;
  readonly defaultBranch: string;
  readonly private: boolean;
  /** Apps see the projects of organizations only. */
  readonly owner: "organization" | "user";
}

export interface CardMove {
  readonly cardId: string;
  readonly role: ColumnRole;
}

/** Values for fields that the card has, as text. */
export interface CardNote {
  readonly cardId: string;
  readonly facts: CardFacts;
}

export interface CardUpdate {
  readonly moves: readonly CardMove[];
  readonly notes: readonly CardNote[];
}

export interface NewPullRequest {
  readonly repo: RepoName;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface CheckReport {
  readonly repo: RepoName;
  readonly head: Sha;
  readonly name: string;
  readonly status: "queued" | "in-progress" | "success" | "failure" | "neutral";
  readonly title: string;
  readonly summary: string;
  readonly buttons?: readonly CheckButton[];
  /** Files to point at; GitHub keeps those of every report, so only the first has them. */
  readonly notes?: readonly FileNote[];
  /** Places in the commit's files that it is about. */
  readonly annotations?: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }[];
}

/** GitHub allows three, with a label of 20 characters and a description of 40. */
export interface CheckButton {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface FileNote {
  readonly path: string;
  readonly message: string;
}

/** A comment on an issue or a pull request, as it is now. */
export interface IssueComment {
  readonly author: string;
  readonly body: string;
  /** The number of what it is on. */
  readonly issue: number;
  /** When it was written first, whatever became of it since. */
  readonly createdAt: number;
}

export type Reaction = "+1" | "confused";

export type MergeOutcome =
  | { readonly kind: "merged"; readonly commit: Sha }
  | { readonly kind: "head-moved" }
  | { readonly kind: "base-moved" }
  | { readonly kind: "refused"; readonly reason: string }
  /** The answer was lost or a server error: it may or may not have merged. */
  | { readonly kind: "unknown"; readonly reason: string };

/** A commit that is to land on a branch. */
export interface CheckPlace {
  readonly repo: RepoName;
  readonly head: Sha;
  readonly base: string;
}

export interface RefUpdate {
  readonly branch: string;
  /** What it must be now. */
  readonly before: Sha;
  readonly after: Sha;
  /** Whether it may go anywhere but forward. */
  readonly force: boolean;
}

export type RefsOutcome =
  | { readonly kind: "moved" }
  /** One of them is not where it was expected, or not behind: none was moved. */
  | { readonly kind: "stale"; readonly reason: string }
  /** A rule of the branch or a permission: none was moved. `everyone`: it would be the same for any other change. */
  | { readonly kind: "refused"; readonly reason: string; readonly everyone?: boolean }
  /** The answer was lost or a server error: they may or may not have moved. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface RequiredCheck {
  readonly name: string;
  /** The id of the app that must report it; undefined: anyone may. */
  readonly app: number | undefined;
}

/** What the rules of a branch ask of whoever changes it. */
export interface BranchRules {
  readonly approvals: number;
  readonly checks: readonly RequiredCheck[];
  /** Changes come by pull request, or not at all, unless the app may bypass that. */
  readonly restricted: boolean;
  readonly mergeQueue: boolean;
  readonly linear: boolean;
}

export interface CheckFact {
  readonly name: string;
  /** The id of the app that reports it; undefined for a status. */
  readonly app: number | undefined;
  readonly state: "pending" | "success" | "failure";
}

export interface PullFacts {
  readonly state: "open" | "closed" | "merged";
  readonly head: Sha;
  readonly base: string;
  readonly draft: boolean;
  /** The commit that GitHub says brought it to its base. */
  readonly mergedAs: Sha | undefined;
  readonly inMergeQueue: boolean;
}

/** What is looked at right before a change lands, or a branch goes. */
export interface CloserLook {
  /** By number, whatever state they are in; what does not exist is absent. */
  readonly pulls: ReadonlyMap<number, PullRequest>;
  /** Of each branch that was asked about, whether an open pull request wants to go to it. */
  readonly wanted: ReadonlyMap<string, boolean>;
}

/** One group of GitHub's own merge queue. */
export interface QueuedGroup {
  readonly pull: number;
  readonly head: Sha | undefined;
  readonly waitsForChecks: boolean;
}

/** `left`: people took our part out of it, or made it unclear which that is. */
export type PullRequestText = "told" | "left";

export interface GitHub extends IssueWriter {
  listRepos(): Promise<readonly InstalledRepo[]>;
  /** The repository's configuration file on its default branch, with the blob's sha; undefined when there is none. */
  readConfigFile(
    repo: RepoName,
  ): Promise<{ readonly text: string; readonly sha: string } | undefined>;
  /** Whether board, issues and pull requests are as they were when this was last asked; costs nothing while they are. */
  isUnchanged(repo: RepoName, config: RepoConfig): Promise<boolean>;
  /** Board and open pull requests of ours in one query. */
  readRepo(repo: RepoName, config: RepoConfig): Promise<RepoReading>;
  /** Open issues with the label, with their sub-issues, in one query. */
  readObjectives(repo: RepoName, label: string): Promise<readonly ObjectiveIssue[]>;
  /** States of issues by id, e.g. dependencies that are on no board; issues that do not exist are absent. */
  issueStates(repo: RepoName, ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, IssueState>>;
  /** The sub-issues of each issue that has any. */
  subIssues(
    repo: RepoName,
    ids: readonly TaskId[],
  ): Promise<ReadonlyMap<TaskId, readonly DependencyIssue[]>>;
  /** How each issue came to be ready and who changed it, from GitHub's own records; issues that do not exist are absent. */
  provenance(
    repo: RepoName,
    config: RepoConfig,
    ids: readonly TaskId[],
  ): Promise<ReadonlyMap<TaskId, Provenance>>;
  /** Whether the person may write to the repository. */
  mayWrite(repo: RepoName, login: string): Promise<boolean>;
  /** Everything that was said about the pull request, oldest first, by whomever. */
  reviewsOf(repo: RepoName, pull: number): Promise<readonly PullReview[]>;
  /** Checks of others that failed: of those that the base branch requires, or of all where it requires none. */
  failedChecks(place: CheckPlace): Promise<readonly FailedCheck[]>;
  pullState(repo: RepoName, number: number): Promise<PullFacts>;
  /** Pull requests by number, and whether anything open wants to go to the branches, all in one query. */
  lookCloser(
    repo: RepoName,
    at: { readonly pulls: readonly number[]; readonly branches: readonly string[] },
  ): Promise<CloserLook>;
  /** As they were within the last minutes, or as they are at this moment. */
  branchRules(repo: RepoName, branch: string, age?: "recent" | "now"): Promise<BranchRules>;
  /** The newest report of each check and status on the commit. */
  checksOf(repo: RepoName, commit: Sha): Promise<readonly CheckFact[]>;
  /** All moves and notes in one request. */
  updateCards(repo: RepoName, config: RepoConfig, update: CardUpdate): Promise<void>;
  /** The app's own comment on the issue that contains the marker. */
  findComment(repo: RepoName, issue: number, marker: string): Promise<string | undefined>;
  /** Undefined when it is gone. */
  readComment(repo: RepoName, commentId: string): Promise<IssueComment | undefined>;
  /** Harmless when the reaction is there already. */
  react(repo: RepoName, commentId: string, reaction: Reaction): Promise<void>;
  /** Labels that are already there, or already gone, are as wanted. */
  setLabels(
    repo: RepoName,
    issue: number,
    labels: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<void>;
  createComment(repo: RepoName, issue: number, body: string): Promise<string>;
  updateComment(repo: RepoName, commentId: string, body: string): Promise<void>;
  /** The existing open pull request of the branch if there is one; that one is described anew. */
  openPullRequest(
    request: NewPullRequest,
  ): Promise<{ readonly pull: number; readonly text: PullRequestText }>;
  /** Replaces our part of the pull request's text; its title and what people wrote are left as they are. */
  describePullRequest(repo: RepoName, pull: number, body: string): Promise<PullRequestText>;
  /** The branch's commit. */
  branchHead(repo: RepoName, branch: string): Promise<Sha>;
  createCheck(report: CheckReport): Promise<string>;
  updateCheck(checkId: string, report: CheckReport): Promise<void>;
  /** All or none. Never repeated by itself: after `unknown` the caller reads what is true. */
  updateRefs(
    lock: MergeLock,
    request: { readonly repo: RepoName; readonly updates: readonly RefUpdate[] },
  ): Promise<RefsOutcome>;
  /** Never repeated by itself: after `unknown` the caller reads what is true. */
  mergePullRequest(
    lock: MergeLock,
    request: {
      readonly repo: RepoName;
      readonly pull: number;
      readonly head: Sha;
      readonly method: LandingMethod;
      readonly title: string;
      readonly message: string;
    },
  ): Promise<MergeOutcome>;
  /** Puts the pull request into GitHub's own merge queue; one that is there already is fine. */
  enqueuePullRequest(
    lock: MergeLock,
    request: { readonly repo: RepoName; readonly pull: number; readonly head: Sha },
  ): Promise<RefsOutcome>;
  mergeQueue(repo: RepoName, branch: string): Promise<readonly QueuedGroup[]>;
  closeIssue(repo: RepoName, issue: number): Promise<void>;
  /** When a write of this kind would go if it were asked for now; costs no call. */
  nextWriteAt(repo: RepoName, kind: WriteKind): Promise<Instant>;
  /** A token for git that is good for this repository's contents alone. */
  gitToken(repo: RepoName): Promise<string>;
}

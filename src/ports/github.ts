import type { CardFacts, ColumnRole, IssueState, RepoReading } from "../domain/board.ts";
import type { RepoName, Sha, TaskId } from "../domain/ids.ts";
import type { Provenance } from "../domain/provenance.ts";
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
  /** Places in the commit's files that it is about. */
  readonly annotations?: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }[];
}

export type MergeMethod = "merge" | "squash";

export type MergeOutcome =
  | { readonly kind: "merged"; readonly commit: Sha }
  | { readonly kind: "head-moved" }
  | { readonly kind: "base-moved" }
  | { readonly kind: "refused"; readonly reason: string }
  /** The answer was lost or a server error: it may or may not have merged. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface GitHub {
  listRepos(): Promise<readonly InstalledRepo[]>;
  /** The repository's configuration file on its default branch, with the blob's sha; undefined when there is none. */
  readConfigFile(
    repo: RepoName,
  ): Promise<{ readonly text: string; readonly sha: string } | undefined>;
  /** Board and open pull requests of ours in one query. */
  readRepo(repo: RepoName, config: RepoConfig): Promise<RepoReading>;
  /** States of issues by id, e.g. dependencies that are on no board; issues that do not exist are absent. */
  issueStates(repo: RepoName, ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, IssueState>>;
  /** How each issue came to be ready and who changed it, from GitHub's own records; issues that do not exist are absent. */
  provenance(
    repo: RepoName,
    config: RepoConfig,
    ids: readonly TaskId[],
  ): Promise<ReadonlyMap<TaskId, Provenance>>;
  /** Whether the person may write to the repository. */
  mayWrite(repo: RepoName, login: string): Promise<boolean>;
  pullState(
    repo: RepoName,
    number: number,
  ): Promise<{
    readonly state: "open" | "closed" | "merged";
    readonly head: Sha;
  }>;
  /** All moves and notes in one request. */
  updateCards(repo: RepoName, config: RepoConfig, update: CardUpdate): Promise<void>;
  /** The app's own comment on the issue that contains the marker. */
  findComment(repo: RepoName, issue: number, marker: string): Promise<string | undefined>;
  createComment(repo: RepoName, issue: number, body: string): Promise<string>;
  updateComment(repo: RepoName, commentId: string, body: string): Promise<void>;
  /** Returns the existing open pull request of the branch if there is one. */
  openPullRequest(request: NewPullRequest): Promise<number>;
  /** The branch's commit. */
  branchHead(repo: RepoName, branch: string): Promise<Sha>;
  createCheck(report: CheckReport): Promise<string>;
  updateCheck(checkId: string, report: CheckReport): Promise<void>;
  /** Never repeated by itself: after `unknown` the caller reads what is true. */
  mergePullRequest(request: {
    readonly repo: RepoName;
    readonly pull: number;
    readonly head: Sha;
    readonly method: MergeMethod;
    readonly title: string;
    readonly message: string;
  }): Promise<MergeOutcome>;
  closeIssue(repo: RepoName, issue: number): Promise<void>;
  /** A token for git that is good for this repository's contents alone. */
  gitToken(repo: RepoName): Promise<string>;
}

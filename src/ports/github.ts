import type { RepoConfig } from "../config/schema/repo-config.ts";
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
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { Provenance } from "../domain/provenance.ts";
import type { CheckEvidence, FailedCheck, PullReview } from "../domain/pull-review.ts";
import type { WriteKind } from "./api-budget.ts";
import type { IssueWriter } from "./issue-writer.ts";
import type { MergeLock } from "./store.ts";

export interface InstalledRepo {
  /** GitHub's number stays the same when the repository is renamed or transferred. */
  readonly id: number;
  readonly repo: RepoName;
  readonly defaultBranch: string;
  readonly private: boolean;
  /** Apps can only see the projects of organizations. */
  readonly owner: "organization" | "user";
  /** The installation has the permission `workflows: write`. It is undefined where nobody has asked. */
  readonly mayWriteWorkflows?: boolean | undefined;
}

export interface CardMove {
  readonly cardId: string;
  readonly role: ColumnRole;
}

/** These are values, as text, for fields that the card has. */
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
  /** The check points at these files. GitHub keeps the notes of every report, so only the first report has them. */
  readonly notes?: readonly FileNote[];
  /** The report is about these places in the commit's files. */
  readonly annotations?: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }[];
}

/** GitHub allows three buttons, with a label of 20 characters and a description of 40. */
export interface CheckButton {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface FileNote {
  readonly path: string;
  readonly message: string;
}

/** This is a comment on an issue or a pull request, as it is now. */
export interface IssueComment {
  readonly author: string;
  readonly body: string;
  /** This is the number of the issue or pull request that it is on. */
  readonly issue: number;
  /** The comment was first written at this time, even if it was edited since. */
  readonly createdAt: number;
}

export type Reaction = "+1" | "confused";

/** A rule of the branch or a permission forbids it. */
export interface Refusal {
  readonly kind: "refused";
  readonly reason: string;
  /** The change touches workflow files, which only a permission of its own allows. */
  readonly workflows?: boolean;
}

export type MergeOutcome =
  | { readonly kind: "merged"; readonly commit: Sha }
  | { readonly kind: "head-moved" }
  | Refusal
  /** The answer was lost or was a server error, so it may or may not have merged. */
  | { readonly kind: "unknown"; readonly reason: string };

/** This is a commit that should land on a branch. */
export interface CheckPlace {
  readonly repo: RepoName;
  readonly head: Sha;
  readonly base: string;
}

export interface RefUpdate {
  readonly branch: string;
  /** The branch must be at this commit now. */
  readonly before: Sha;
  readonly after: Sha;
  /** This says whether the branch may move in another way than forward. */
  readonly force: boolean;
}

export type RefsOutcome =
  | { readonly kind: "moved" }
  /** One of the branches is not where it was expected, or not behind. None was moved. */
  | { readonly kind: "stale"; readonly reason: string }
  /** None was moved. `everyone` says that any other change would be refused too. */
  | (Refusal & { readonly everyone?: boolean })
  /** The answer was lost or was a server error, so they may or may not have moved. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface RequiredCheck {
  readonly name: string;
  /** The app with this id must report the check. If it is undefined, anyone may. */
  readonly app: number | undefined;
}

/** These are the rules that a change of the branch must obey. */
export interface BranchRules {
  readonly approvals: number;
  readonly checks: readonly RequiredCheck[];
  /** If this is true, changes may come only by pull request, or not at all, unless the app may bypass that. */
  readonly restricted: boolean;
  readonly mergeQueue: boolean;
  readonly linear: boolean;
  /** If this is true, commits must be signed. */
  readonly signatures: boolean;
}

export interface CheckFact {
  readonly name: string;
  /** The app with this id reports the check. It is undefined for a status. */
  readonly app: number | undefined;
  readonly state: "pending" | "success" | "failure";
}

/** This is what the rules of the base branch may ask of a pull request besides approvals. */
export interface PullReadiness {
  readonly head: Sha;
  /** The checks and statuses of others and our own are here, the newest of each. */
  readonly checks: readonly CheckFact[];
  /** The base takes only branches that are up to date, and this one is not. */
  readonly behind: boolean;
}

export interface PullFacts {
  readonly state: "open" | "closed" | "merged";
  readonly head: Sha;
  readonly base: string;
  readonly draft: boolean;
  /** GitHub says that this commit brought it to its base. */
  readonly mergedAs: Sha | undefined;
  readonly inMergeQueue: boolean;
}

/** These facts are read right before a change lands or a branch is deleted. */
export interface CloserLook {
  /** Pull requests in any state are here by number. Those that do not exist are absent. */
  readonly pulls: ReadonlyMap<number, PullRequest>;
  /** For each branch that was asked about, this says whether an open pull request targets it. */
  readonly wanted: ReadonlyMap<string, boolean>;
}

/** This is one group of GitHub's own merge queue. */
export interface QueuedGroup {
  readonly pull: number;
  readonly head: Sha | undefined;
  readonly waitsForChecks: boolean;
}

/** `left` means that we changed nothing: people removed our part of the text, or it is unclear which part is ours. */
export type PullRequestText = "told" | "left";

export interface GitHub extends IssueWriter {
  listRepos(): Promise<readonly InstalledRepo[]>;
  /** Repositories have other names than before: boards, permissions and rules are read anew. */
  forgetReadings(): void;
  /**
   * Reads the repository's configuration file on its default branch, with the blob's sha. The result is undefined when there is
   * none.
   */
  readConfigFile(
    repo: RepoName,
  ): Promise<{ readonly text: string; readonly sha: string } | undefined>;
  /**
   * Says whether the repository's cards, issues and pull requests are unchanged since they were last asked for. It costs next to nothing
   * while they are. If `since` is given, nothing older is relied on; otherwise a board may have been looked at a little earlier.
   */
  isUnchanged(repo: RepoName, config: RepoConfig, since?: Instant): Promise<boolean>;
  /**
   * Reads the repository's cards and open pull requests as they are at the moment `since` or later, now if it is not given. A board is
   * read once for all repositories that have cards on it.
   */
  readRepo(repo: RepoName, config: RepoConfig, since?: Instant): Promise<RepoReading>;
  /** Finds the repository of a card by the id of the card or of its issue, if it was on a board when that was last read. */
  repoOfCard(id: string): RepoName | undefined;
  /** Reads open issues with the label, and their sub-issues, in one query. */
  readObjectives(repo: RepoName, label: string): Promise<readonly ObjectiveIssue[]>;
  /** Reads the states of issues by id, e.g. of dependencies that are on no board. Issues that do not exist are absent. */
  issueStates(repo: RepoName, ids: readonly TaskId[]): Promise<ReadonlyMap<TaskId, IssueState>>;
  /** Reads the sub-issues of each issue that has any. */
  subIssues(
    repo: RepoName,
    ids: readonly TaskId[],
  ): Promise<ReadonlyMap<TaskId, readonly DependencyIssue[]>>;
  /** Reads from GitHub's own records how each issue became ready and who changed it. Issues that do not exist are absent. */
  provenance(
    repo: RepoName,
    config: RepoConfig,
    ids: readonly TaskId[],
  ): Promise<ReadonlyMap<TaskId, Provenance>>;
  /** Says whether the person may write to the repository. */
  mayWrite(repo: RepoName, login: string): Promise<boolean>;
  /** Reads everything that anybody said about the pull request, oldest first. */
  reviewsOf(repo: RepoName, pull: number): Promise<readonly PullReview[]>;
  /** Reads the failed checks of others: only the required ones, or all if the base branch requires none. */
  failedChecks(place: CheckPlace): Promise<readonly FailedCheck[]>;
  /** Reads a check's remarks on lines and, where the app may, the end of its job's log. */
  evidenceOf(repo: RepoName, check: FailedCheck): Promise<CheckEvidence>;
  pullState(repo: RepoName, number: number): Promise<PullFacts>;
  /** Reads pull requests by number, and whether open pull requests target the branches, all in one query. */
  refreshPulls(
    repo: RepoName,
    at: { readonly pulls: readonly number[]; readonly branches: readonly string[] },
  ): Promise<CloserLook>;
  /** Reads the rules as they were within the last minutes, or as they are at this moment. */
  branchRules(repo: RepoName, branch: string, age?: "recent" | "now"): Promise<BranchRules>;
  /** Reads how checks judge these pull requests at the moment `since` or later, in one query. Those that do not exist are absent. */
  readiness(
    repo: RepoName,
    wanted: { readonly pulls: readonly number[]; readonly required: readonly RequiredCheck[] },
    since: Instant,
  ): Promise<ReadonlyMap<number, PullReadiness>>;
  /** Says whether this check was required and missing on the commit when readiness was last read. It costs no call. */
  isAwaited(repo: RepoName, report: { readonly head: string; readonly name: string }): boolean;
  /** Reads the newest report of each check and status on the commit. */
  checksOf(repo: RepoName, commit: Sha): Promise<readonly CheckFact[]>;
  /** Writes all moves and notes in one request. */
  updateCards(repo: RepoName, config: RepoConfig, update: CardUpdate): Promise<void>;
  /** Finds the app's own comment on the issue that contains the marker. */
  findComment(repo: RepoName, issue: number, marker: string): Promise<string | undefined>;
  /** The result is undefined when the comment is gone. */
  readComment(repo: RepoName, commentId: string): Promise<IssueComment | undefined>;
  /** This is harmless when the reaction is there already. */
  react(repo: RepoName, commentId: string, reaction: Reaction): Promise<void>;
  /** It is fine if labels to add are already there, or labels to remove are already gone. */
  setLabels(
    repo: RepoName,
    issue: number,
    labels: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): Promise<void>;
  createComment(repo: RepoName, issue: number, body: string): Promise<string>;
  updateComment(repo: RepoName, commentId: string, body: string): Promise<void>;
  /** Opens a pull request. If the branch has an open one already, that one gets the new text. */
  openPullRequest(
    request: NewPullRequest,
  ): Promise<{ readonly pull: number; readonly text: PullRequestText }>;
  /** Replaces our part of the pull request's text. Its title and the words of people stay as they are. */
  describePullRequest(repo: RepoName, pull: number, body: string): Promise<PullRequestText>;
  /** Reads the commit that the branch is at. */
  branchHead(repo: RepoName, branch: string): Promise<Sha>;
  /** Finds the newest of the app's own check runs of this name on the commit. */
  findCheck(wanted: Pick<CheckReport, "repo" | "head" | "name">): Promise<string | undefined>;
  createCheck(report: CheckReport): Promise<string>;
  /** A completed check run takes other words and another conclusion, but is never under way again: that needs a new one. */
  updateCheck(checkId: string, report: CheckReport): Promise<void>;
  /** Moves all branches or none. It never repeats by itself: after `unknown` the caller must read what is true. */
  updateRefs(
    lock: MergeLock,
    request: { readonly repo: RepoName; readonly updates: readonly RefUpdate[] },
  ): Promise<RefsOutcome>;
  /** Never repeats by itself: after `unknown` the caller must read what is true. */
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
  /** Puts the pull request into GitHub's own merge queue. It is fine if it is there already. */
  enqueuePullRequest(
    lock: MergeLock,
    request: { readonly repo: RepoName; readonly pull: number; readonly head: Sha },
  ): Promise<RefsOutcome>;
  mergeQueue(repo: RepoName, branch: string): Promise<readonly QueuedGroup[]>;
  closeIssue(repo: RepoName, issue: number): Promise<void>;
  /** Says when a write of this kind would go out if it were asked for now. It costs no call. */
  nextWriteAt(repo: RepoName, kind: WriteKind): Promise<Instant>;
  /** Asks our own budget for a push by git to the repository. It throws if too many have gone there, with the time of the next. */
  takePush(repo: RepoName): Promise<void>;
  /** Returns a token for git that is only good for this repository's contents. */
  gitToken(repo: RepoName): Promise<string>;
}

import type { RepoConfig } from "../config/schema.ts";
import type { Instant, RepoName } from "../domain/ids.ts";

/** An issue of our own making. */
export interface MadeIssue {
  readonly number: number;
  /** What relations name it by. */
  readonly id: number;
  readonly nodeId: string;
  /** Number of its parent in the same repository, as far as that was read. */
  readonly parent?: number | undefined;
}

export interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** Opens issues and relates them. Opening is never repeated by itself: after a lost answer the caller looks for the issue. */
export interface IssueWriter {
  /** Issues that this very account opened, by the alias in their text. `since`: changed at or after that moment. */
  findMade(repo: RepoName, since?: Instant): Promise<ReadonlyMap<string, MadeIssue>>;
  createIssue(repo: RepoName, issue: NewIssue): Promise<MadeIssue>;
  /** Harmless when it is one already. */
  addSubIssue(repo: RepoName, parent: number, issue: MadeIssue): Promise<void>;
  /** Numbers of issues in the same repository that block it. */
  blockersOf(repo: RepoName, issue: number): Promise<readonly number[]>;
  /** Harmless when it does already. */
  addBlocker(repo: RepoName, issue: number, blocker: MadeIssue): Promise<void>;
  /** Puts them on the repository's project, where it has one, into the column for proposed tasks. */
  addCards(repo: RepoName, config: RepoConfig, issues: readonly MadeIssue[]): Promise<void>;
}

import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { Instant, RepoName } from "../domain/ids.ts";

/** This is an issue that we opened. */
export interface MadeIssue {
  readonly number: number;
  /** Relations between issues use this id. */
  readonly id: number;
  readonly nodeId: string;
  /** This is the number of its parent in the same repository, if that was read. */
  readonly parent?: number | undefined;
}

export interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** Opens issues and relates them. Opening never repeats by itself: after a lost answer the caller must look for the issue. */
export interface IssueWriter {
  /**
   * Finds issues that this very account opened, by the alias in their text. With `since`, only those that changed at or after that
   * moment.
   */
  findMade(repo: RepoName, since?: Instant): Promise<ReadonlyMap<string, MadeIssue>>;
  createIssue(repo: RepoName, issue: NewIssue): Promise<MadeIssue>;
  /** This is harmless when it is a sub-issue already. */
  addSubIssue(repo: RepoName, parent: number, issue: MadeIssue): Promise<void>;
  /** Reads the numbers of issues in the same repository that block the issue. */
  blockersOf(repo: RepoName, issue: number): Promise<readonly number[]>;
  /** This is harmless when it blocks the issue already. */
  addBlocker(repo: RepoName, issue: number, blocker: MadeIssue): Promise<void>;
  /** Puts the issues into the column for proposed tasks of the repository's project, if it has one. */
  addCards(repo: RepoName, config: RepoConfig, issues: readonly MadeIssue[]): Promise<void>;
}

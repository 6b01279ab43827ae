declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** It has the form `owner/name`. */
export type RepoName = Branded<string, "RepoName">;
/** It has the form `owner/name#12` for an issue, and is any non-empty word in a task file. */
export type TaskId = Branded<string, "TaskId">;
export type RunId = Branded<string, "RunId">;
export type EntryId = Branded<string, "EntryId">;
/** It names entries that are verified and landed together. */
export type BatchId = Branded<string, "BatchId">;
/** It has the form `owner/name#12:1`: the task, and the attempt that explores. */
export type ExplorationId = Branded<string, "ExplorationId">;
/** It has the form `owner/name@branch`. */
export type TrainId = Branded<string, "TrainId">;
/** This is a full git object name. */
export type Sha = Branded<string, "Sha">;
/** It counts milliseconds since the epoch. */
export type Instant = Branded<number, "Instant">;

// Names become folders: `.` and `..` are not names. Accounts that a company manages have `_` in theirs.
const REPO_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

export function isRepoName(text: string): text is RepoName {
  return REPO_NAME.test(text);
}

export function repoName(text: string): RepoName {
  if (!isRepoName(text)) throw new Error(`not an owner/name: ${text}`);
  return text;
}

export function isSha(text: string): text is Sha {
  return SHA.test(text);
}

export function sha(text: string): Sha {
  if (!isSha(text)) throw new Error(`not a git object name: ${text}`);
  return text;
}

export const taskId = (text: string): TaskId => text as TaskId;
export const runId = (text: string): RunId => text as RunId;
export const entryId = (text: string): EntryId => text as EntryId;
export const batchId = (text: string): BatchId => text as BatchId;
export const explorationId = (task: TaskId, attempt: number): ExplorationId =>
  `${task}:${attempt}` as ExplorationId;
export const trainId = (text: string): TrainId => text as TrainId;
export const instant = (ms: number): Instant => ms as Instant;

/** Returns the earliest of the times that are known. */
export function soonest(...times: readonly (Instant | undefined)[]): Instant | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : instant(Math.min(...known));
}

export function taskIdOf(repo: RepoName, issue: number): TaskId {
  return `${repo}#${issue}` as TaskId;
}

/** Returns the repository of an issue's task. It does not work for a task of a task file. */
export function repoOf(task: TaskId): RepoName {
  return repoName(task.slice(0, task.lastIndexOf("#")));
}

export function ownerOf(repo: RepoName): string {
  return repo.slice(0, repo.indexOf("/"));
}

export function nameOf(repo: RepoName): string {
  return repo.slice(repo.indexOf("/") + 1);
}

/** A repository had or has this name. Its number is GitHub's and stays the same for as long as it exists. */
export interface RepoNaming {
  readonly id: number;
  readonly repo: RepoName;
  /** It is undefined while the repository is called so. */
  readonly until: Instant | undefined;
}

/** Returns the name that the repository has now, if it is known. */
export function nameNow(names: readonly RepoNaming[], id: number): RepoName | undefined {
  return names.find((one) => one.id === id && one.until === undefined)?.repo;
}

/** Tells whether another repository had the name before. */
export function wasUsedBefore(
  names: readonly RepoNaming[],
  { id, repo }: Pick<RepoNaming, "id" | "repo">,
): boolean {
  return names.some((one) => one.repo === repo && one.id !== id);
}

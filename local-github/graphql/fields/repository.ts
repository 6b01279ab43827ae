import { findIssue, findPull, findThread, pullsOf, roleOf, threadsOf } from "../../model/find.ts";
import { findLabel, fullName } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";
import { repositoryPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { commitAt, refNamed } from "../resolve/git-objects.ts";
import { unresolvable } from "../resolve/graphql-problem.ts";
import type { Fields } from "../resolve/resolver.ts";
import { filteredThreads } from "../resolve/thread-filter.ts";
import type { ThreadFilter } from "../resolve/thread-filter.ts";
import { visibleQueue } from "../resolve/visible-queue.ts";

type Page = PageArguments;
interface Numbered {
  readonly number: number;
}

export const repositoryFields: Fields<Repository> = {
  id: (repository) => repository.nodeId,
  databaseId: (repository) => repository.id,
  name: (repository) => repository.name,
  nameWithOwner: (repository) => fullName(repository),
  owner: (repository) => repository.owner,
  isPrivate: (repository) => repository.isPrivate,
  visibility: (repository) => (repository.isPrivate ? "PRIVATE" : "PUBLIC"),
  isInOrganization: (repository) => repository.owner.kind === "organization",
  isArchived: () => false,
  hasIssuesEnabled: () => true,
  hasWikiEnabled: () => false,
  hasProjectsEnabled: () => true,
  description: () => null,
  parent: (repository) => repository.forkOf,
  viewerPermission: (repository, _: unknown, { user }) => roleOf(repository, user).toUpperCase(),
  isEmpty: (repository) => repository.refs.size === 0,
  isFork: (repository) => repository.forkOf !== null,
  url: (repository, _: unknown, { world }) => `${world.url}${repositoryPath(repository)}`,
  resourcePath: (repository) => repositoryPath(repository),
  createdAt: (repository) => repository.createdAt,
  updatedAt: (repository) => repository.updatedAt,
  pushedAt: (repository) => repository.pushedAt,
  mergeCommitAllowed: (repository) => repository.mergeMethods.has("merge"),
  squashMergeAllowed: (repository) => repository.mergeMethods.has("squash"),
  rebaseMergeAllowed: (repository) => repository.mergeMethods.has("rebase"),
  deleteBranchOnMerge: (repository) => repository.deletesBranchOnMerge,
  label: (repository, { name }: { readonly name: string }) => findLabel(repository, name) ?? null,
  labels: (repository, page: Page) => connection({ name: "labels", all: repository.labels }, page),
  ...refFields(),
  ...threadFields(),
};

function refFields(): Fields<Repository> {
  return {
    mergeQueue: (repository, { branch }: { readonly branch?: string | null }, viewer) =>
      visibleQueue(viewer, repository, branch ?? repository.defaultBranch),
    defaultBranchRef: (repository) =>
      refNamed(repository, `refs/heads/${repository.defaultBranch}`),
    ref: (repository, { qualifiedName }: { readonly qualifiedName: string }) =>
      refNamed(repository, qualifiedName) ?? refNamed(repository, `refs/heads/${qualifiedName}`),
    refs: (repository, args: Page & { readonly refPrefix: string }) => {
      const names = [...repository.refs.keys()].filter((name) => name.startsWith(args.refPrefix));
      const all = names.sort().map((name) => refNamed(repository, name));
      return connection({ name: "refs", all }, args);
    },
    object: async (
      repository,
      args: { readonly oid?: string | null; readonly expression?: string | null },
    ) => commitAt(repository, args.oid ?? args.expression ?? ""),
  };
}

function threadFields(): Fields<Repository> {
  return {
    issue: (repository, { number }: Numbered, { world }) =>
      found(findIssue(world, repository, number), "Issue", number),
    pullRequest: (repository, { number }: Numbered, { world }) =>
      found(findPull(world, repository, number), "PullRequest", number),
    issueOrPullRequest: (repository, { number }: Numbered, { world }) =>
      found(findThread(world, repository, number), "issue or pull request", number),
    issues: (repository, args: Page & ThreadFilter, { world }) => {
      const issues = threadsOf(world, repository).filter((thread) => thread.kind === "issue");
      return connection({ name: "issues", all: filteredThreads(issues, args) }, args);
    },
    pullRequests: (repository, args: Page & ThreadFilter, { world }) => {
      const all = filteredThreads(pullsOf(world, repository), args);
      return connection({ name: "pullRequests", all }, args);
    },
  };
}

function found<T>(thread: T | undefined, what: string, number: number): T {
  if (thread !== undefined) return thread;
  const article = /^[aeiou]/i.test(what) ? "an" : "a";
  throw unresolvable(`${article} ${what} with the number of ${number}`);
}

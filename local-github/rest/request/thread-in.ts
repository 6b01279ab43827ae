import { findIssue, findPull, findThread } from "../../model/find.ts";
import type { Issue } from "../../model/issue.ts";
import { notFound } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { RepoCall } from "./route.ts";

/** Finds the issue or pull request that the path names. */
export function threadIn({ world, repository, params }: RepoCall): Issue | PullRequest {
  const thread = findThread(world, repository, Number(params["issue_number"]));
  if (thread === undefined) throw notFound();
  return thread;
}

/** Finds the issue that the path names; a pull request is not one. */
export function issueIn({ world, repository, params }: RepoCall): Issue {
  const issue = findIssue(world, repository, Number(params["issue_number"]));
  if (issue === undefined) throw notFound();
  return issue;
}

export function pullIn({ world, repository, params }: RepoCall): PullRequest {
  const pull = findPull(world, repository, Number(params["pull_number"]));
  if (pull === undefined) throw notFound();
  return pull;
}

import { closingReferences } from "../../model/closing-references.ts";
import { blockedByThis } from "../../model/find.ts";
import type { Issue } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { World } from "../../model/world.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import type { Fields } from "../resolve/resolver.ts";
import { threadFields } from "./thread.ts";

type Page = PageArguments;

export const issueFields: Fields<Issue> = {
  ...threadFields,
  state: (issue) => issue.state.toUpperCase(),
  stateReason: (issue) => issue.stateReason?.toUpperCase() ?? null,
  issueType: () => null,
  parent: (issue) => issue.parent,
  subIssues: (issue, page: Page) => connection({ name: "subIssues", all: issue.subIssues }, page),
  subIssuesSummary: ({ subIssues }) => {
    const total = subIssues.length;
    const completed = subIssues.filter((issue) => issue.state === "closed").length;
    return {
      total,
      completed,
      percentCompleted: total === 0 ? 0 : Math.floor((completed / total) * 100),
    };
  },
  blockedBy: (issue, page: Page) => connection({ name: "blockedBy", all: issue.blockedBy }, page),
  blocking: (issue, page: Page, { world }) =>
    connection({ name: "blocking", all: blockedByThis(world, issue) }, page),
  issueDependenciesSummary: (issue, _: unknown, { world }) => {
    const blocking = blockedByThis(world, issue);
    return {
      blockedBy: openOnes(issue.blockedBy),
      blocking: openOnes(blocking),
      totalBlockedBy: issue.blockedBy.length,
      totalBlocking: blocking.length,
    };
  },
  closedByPullRequestsReferences: (
    issue,
    args: Page & { readonly includeClosedPrs?: boolean | null },
    { world },
  ) => {
    const pulls = pullsThatClose(world, issue);
    const all = pulls.filter(
      (pull) => args.includeClosedPrs === true || pull.state === "open" || pull.landing !== null,
    );
    return connection({ name: "closedByPullRequestsReferences", all }, args);
  },
};

function openOnes(issues: readonly Issue[]): number {
  return issues.filter((issue) => issue.state === "open").length;
}

function pullsThatClose(world: World, issue: Issue): readonly PullRequest[] {
  return [...world.threads.values()].filter(
    (thread): thread is PullRequest =>
      thread.kind === "pull-request" &&
      closingReferences(world, thread.repository, thread.body ?? "").includes(issue),
  );
}

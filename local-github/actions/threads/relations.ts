import type { User } from "../../model/account.ts";
import type { Issue } from "../../model/issue.ts";
import { invalid, notFound, Problem } from "../../model/problem.ts";
import { announce, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";

interface Blocking {
  readonly blocking: Issue;
  readonly actor: User;
}

export function addBlockedBy(world: World, blocked: Issue, { blocking, actor }: Blocking): void {
  if (blocked === blocking) throw dependencyProblem("cannot be blocked by itself");
  if (blocked.blockedBy.includes(blocking)) {
    throw invalid({ resource: "IssueDependency", field: "issue_id", code: "already_exists" });
  }
  blocked.blockedBy.push(blocking);
  blocked.updatedAt = stamp(world);
  const link = { name: "issue_dependencies", blocked, blocking, sender: actor } as const;
  announce(world, { ...link, action: "blocked_by_added" });
  announce(world, { ...link, action: "blocking_added" });
}

function dependencyProblem(message: string): Problem {
  return invalid({ resource: "IssueDependency", field: "issue_id", code: "invalid", message });
}

export function removeBlockedBy(world: World, blocked: Issue, { blocking, actor }: Blocking): void {
  const at = blocked.blockedBy.indexOf(blocking);
  if (at < 0) throw notFound();
  blocked.blockedBy.splice(at, 1);
  blocked.updatedAt = stamp(world);
  const link = { name: "issue_dependencies", blocked, blocking, sender: actor } as const;
  announce(world, { ...link, action: "blocked_by_removed" });
  announce(world, { ...link, action: "blocking_removed" });
}

interface Adoption {
  readonly subIssue: Issue;
  readonly replaceParent?: boolean;
  readonly actor: User;
}

export function addSubIssue(world: World, parent: Issue, wanted: Adoption): void {
  const { subIssue, actor } = wanted;
  refuseAdoption(parent, wanted);
  if (subIssue.parent !== null) removeSubIssue(world, subIssue.parent, { subIssue, actor });
  subIssue.parent = parent;
  parent.subIssues.push(subIssue);
  parent.updatedAt = stamp(world);
  const link = { name: "sub_issues", parent, subIssue, sender: actor } as const;
  announce(world, { ...link, action: "sub_issue_added" });
  announce(world, { ...link, action: "parent_issue_added" });
}

function refuseAdoption(parent: Issue, { subIssue, replaceParent = false }: Adoption): void {
  if (subIssue.repository.owner !== parent.repository.owner) {
    throw subIssueProblem("Sub issue must belong to the same repository owner");
  }
  if (subIssue === parent || isAncestorOf(subIssue, parent)) {
    throw subIssueProblem("Sub issue cannot be its own ancestor");
  }
  if (subIssue.parent === parent) throw subIssueProblem("Sub issue is already a sub-issue");
  if (subIssue.parent !== null && !replaceParent) {
    throw subIssueProblem("Sub issue may only have one parent");
  }
}

function subIssueProblem(message: string): Problem {
  return new Problem(
    422,
    `An error occurred while adding the sub-issue to the parent issue. ${message}`,
  );
}

function isAncestorOf(issue: Issue, descendant: Issue): boolean {
  const { parent } = descendant;
  return parent !== null && (parent === issue || isAncestorOf(issue, parent));
}

export function removeSubIssue(
  world: World,
  parent: Issue,
  { subIssue, actor }: { readonly subIssue: Issue; readonly actor: User },
): void {
  if (subIssue.parent !== parent) throw notFound();
  subIssue.parent = null;
  parent.subIssues.splice(parent.subIssues.indexOf(subIssue), 1);
  parent.updatedAt = stamp(world);
  const link = { name: "sub_issues", parent, subIssue, sender: actor } as const;
  announce(world, { ...link, action: "sub_issue_removed" });
  announce(world, { ...link, action: "parent_issue_removed" });
}

import {
  addBlockedBy,
  addSubIssue,
  removeBlockedBy,
  removeSubIssue,
} from "../../actions/threads/relations.ts";
import { blockedByThis, findIssueById } from "../../model/find.ts";
import type { Issue } from "../../model/issue.ts";
import { notFound } from "../../model/problem.ts";
import { optionalBoolean, requiredInteger } from "../request/body.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { issueIn } from "../request/thread-in.ts";
import { issueView } from "../view/issue.ts";

const BLOCKED_BY = "/issues/{issue_number}/dependencies/blocked_by";

export const RELATION_ROUTES: readonly Route[] = [
  repoRoute("GET", BLOCKED_BY, {
    needs: "issues=read",
    answer: (call) => issuesAnswer(call, issueIn(call).blockedBy),
  }),
  repoRoute("POST", BLOCKED_BY, { needs: "issues=write", answer: block }),
  repoRoute("DELETE", `${BLOCKED_BY}/{issue_id}`, { needs: "issues=write", answer: unblock }),
  repoRoute("GET", "/issues/{issue_number}/dependencies/blocking", {
    needs: "issues=read",
    answer: (call) => issuesAnswer(call, blockedByThis(call.world, issueIn(call))),
  }),
  repoRoute("GET", "/issues/{issue_number}/parent", { needs: "issues=read", answer: getParent }),
  repoRoute("GET", "/issues/{issue_number}/sub_issues", {
    needs: "issues=read",
    answer: (call) => issuesAnswer(call, issueIn(call).subIssues),
  }),
  repoRoute("POST", "/issues/{issue_number}/sub_issues", { needs: "issues=write", answer: adopt }),
  repoRoute("DELETE", "/issues/{issue_number}/sub_issue", {
    needs: "issues=write",
    answer: disown,
  }),
];

function issuesAnswer(call: RepoCall, issues: readonly Issue[]): Answer {
  return listAnswer(call, issues, (issue) => issueView(call.world, issue));
}

function block(call: RepoCall): Answer {
  const blocking = named(call, requiredInteger(call.body, "issue_id"));
  addBlockedBy(call.world, issueIn(call), { blocking, actor: call.actor });
  return { status: 201, body: issueView(call.world, blocking) };
}

function unblock(call: RepoCall): Answer {
  const blocking = named(call, Number(call.params["issue_id"]));
  removeBlockedBy(call.world, issueIn(call), { blocking, actor: call.actor });
  return { status: 200, body: issueView(call.world, blocking) };
}

function getParent(call: RepoCall): Answer {
  const { parent } = issueIn(call);
  if (parent === null) throw notFound();
  return { status: 200, body: issueView(call.world, parent) };
}

function adopt(call: RepoCall): Answer {
  const parent = issueIn(call);
  const subIssue = named(call, requiredInteger(call.body, "sub_issue_id"));
  const replaceParent = optionalBoolean(call.body, "replace_parent") ?? false;
  addSubIssue(call.world, parent, { subIssue, replaceParent, actor: call.actor });
  return { status: 201, body: issueView(call.world, parent) };
}

function disown(call: RepoCall): Answer {
  const parent = issueIn(call);
  const subIssue = named(call, requiredInteger(call.body, "sub_issue_id"));
  removeSubIssue(call.world, parent, { subIssue, actor: call.actor });
  return { status: 200, body: issueView(call.world, parent) };
}

/** Finds the issue by its database id, not by its number. */
function named({ world }: RepoCall, id: number): Issue {
  const issue = findIssueById(world, id);
  if (issue === undefined) throw notFound();
  return issue;
}

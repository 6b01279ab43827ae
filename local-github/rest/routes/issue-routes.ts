import {
  closePullRequest,
  editPullRequest,
  reopenPullRequest,
} from "../../actions/pulls/pull-state.ts";
import { closeIssue, editIssue, openIssue, reopenIssue } from "../../actions/threads/issues.ts";
import { replaceLabels } from "../../actions/threads/labels.ts";
import { threadsOf } from "../../model/find.ts";
import type { Issue, Thread } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import {
  given,
  objectBody,
  oneOf,
  optionalText,
  optionalTexts,
  requiredText,
} from "../request/body.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { threadIn } from "../request/thread-in.ts";
import { issueDetailView, issueView } from "../view/issue.ts";
import { timelineEventView } from "../view/timeline-event.ts";

const READ = "issues=read; pull_requests=read";
const WRITE = "issues=write; pull_requests=write";

export const ISSUE_ROUTES: readonly Route[] = [
  repoRoute("GET", "/issues", { needs: READ, answer: listIssues }),
  repoRoute("POST", "/issues", { needs: "issues=write", answer: createIssue }),
  repoRoute("GET", "/issues/{issue_number}", {
    needs: READ,
    answer: (call) => ({ status: 200, body: issueDetailView(call.world, threadIn(call)) }),
  }),
  repoRoute("PATCH", "/issues/{issue_number}", { needs: WRITE, answer: updateIssue }),
  repoRoute("GET", "/issues/{issue_number}/timeline", {
    needs: READ,
    answer: (call) => {
      const thread = threadIn(call);
      return listAnswer(call, thread.timeline, (entry) =>
        timelineEventView(call.world, thread, entry),
      );
    },
  }),
];

function listIssues(call: RepoCall): Answer {
  const query = call.url.searchParams;
  const state = query.get("state") ?? "open";
  const labels = (query.get("labels") ?? "").split(",").filter(Boolean);
  const since = query.get("since") ?? "";
  const found = threadsOf(call.world, call.repository)
    .filter((thread) => state === "all" || thread.state === state)
    .filter((thread) => labels.every((name) => hasLabel(thread, name)))
    .filter((thread) => thread.updatedAt >= since);
  if (query.get("sort") === "updated") {
    found.sort((a, b) => a.updatedAt.localeCompare(b.updatedAt));
  }
  const inOrder = query.get("direction") === "asc" ? found : found.toReversed();
  return listAnswer(call, inOrder, (thread) => issueView(call.world, thread));
}

function hasLabel(thread: Thread, name: string): boolean {
  return thread.labels.some((label) => label.name.toLowerCase() === name.toLowerCase());
}

function createIssue(call: RepoCall): Answer {
  const issue = openIssue(call.world, call.repository, {
    title: requiredText(call.body, "title"),
    ...given("body", optionalText(call.body, "body")),
    labels: optionalTexts(call.body, "labels") ?? [],
    actor: call.actor,
  });
  return { status: 201, body: issueDetailView(call.world, issue) };
}

function updateIssue(call: RepoCall): Answer {
  const thread = threadIn(call);
  const { world, actor } = call;
  const labels = optionalTexts(call.body, "labels");
  const edit = { ...textEdit(call.body), actor };
  if (thread.kind === "issue") {
    editIssue(world, thread, edit);
    changeIssueState(call, thread);
  } else {
    editPullRequest(world, thread, edit);
    changePullState(call, thread);
  }
  if (labels !== undefined) replaceLabels(world, thread, { names: labels, actor });
  return { status: 200, body: issueDetailView(world, thread) };
}

/** Reads the title and body of a request; `body: null` empties it. */
export function textEdit(body: unknown): {
  readonly title?: string;
  readonly body?: string | null;
} {
  const emptied = objectBody(body)["body"] === null;
  return {
    ...given("title", optionalText(body, "title")),
    ...given("body", optionalText(body, "body")),
    ...(emptied ? { body: null } : {}),
  };
}

function changeIssueState({ world, body, actor }: RepoCall, issue: Issue): void {
  const state = oneOf(body, "state", ["open", "closed"]);
  const reason = oneOf(body, "state_reason", ["completed", "not_planned", "duplicate", "reopened"]);
  if (state === "closed") closeIssue(world, issue, { actor, reason: reason ?? "completed" });
  if (state === "open") reopenIssue(world, issue, actor);
}

export function changePullState({ world, body, actor }: RepoCall, pull: PullRequest): void {
  const state = oneOf(body, "state", ["open", "closed"]);
  if (state === "closed") closePullRequest(world, pull, actor);
  if (state === "open") reopenPullRequest(world, pull, actor);
}

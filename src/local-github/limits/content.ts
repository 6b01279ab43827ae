/** GitHub's description says of these that creating content too quickly with them leads to a secondary limit. */
export const DOCUMENTED_CONTENT: ReadonlySet<string> = inRepository(
  "POST /issues",
  "POST /issues/{issue_number}/comments",
  "POST /issues/{issue_number}/dependencies/blocked_by",
  "DELETE /issues/{issue_number}/dependencies/blocked_by/{issue_id}",
  "POST /issues/{issue_number}/sub_issues",
  "DELETE /issues/{issue_number}/sub_issue",
  "POST /pulls",
  "PUT /pulls/{pull_number}/merge",
  "POST /pulls/{pull_number}/reviews",
);

/** Nobody says so of these: they count because people see new words, and because too strict is safe. */
const ASSUMED_CONTENT: ReadonlySet<string> = inRepository(
  "PATCH /issues/{issue_number}",
  "PATCH /issues/comments/{comment_id}",
  "POST /issues/comments/{comment_id}/reactions",
  "PATCH /pulls/{pull_number}",
  "PUT /pulls/{pull_number}/reviews/{review_id}/dismissals",
  "POST /check-runs",
  "PATCH /check-runs/{check_run_id}",
  "POST /statuses/{sha}",
);

/** What does the same as one of the routes above, and new cards. Labels, refs, branches and what becomes of cards are no content. */
const CONTENT_MUTATIONS: ReadonlySet<string> = new Set([
  "createIssue",
  "updateIssue",
  "closeIssue",
  "reopenIssue",
  "addComment",
  "updateIssueComment",
  "addBlockedBy",
  "removeBlockedBy",
  "addSubIssue",
  "removeSubIssue",
  "createPullRequest",
  "closePullRequest",
  "markPullRequestReadyForReview",
  "convertPullRequestToDraft",
  "mergePullRequest",
  "enqueuePullRequest",
  "addProjectV2ItemById",
]);

/** `route` is the method and the template. */
export function isContentRoute(route: string): boolean {
  return DOCUMENTED_CONTENT.has(route) || ASSUMED_CONTENT.has(route);
}

export function isContentMutation(name: string): boolean {
  return CONTENT_MUTATIONS.has(name);
}

function inRepository(...routes: readonly string[]): ReadonlySet<string> {
  return new Set(routes.map((route) => route.replace(" ", " /repos/{owner}/{repo}")));
}

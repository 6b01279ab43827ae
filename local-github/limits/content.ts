/** GitHub's API description says that creating content too quickly with these routes leads to a secondary limit. */
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

/** GitHub does not say so of these routes: they count because people see new words, and because too strict is safe. */
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

/** These mutations do the same as one of the routes above, or add a card. Labels, refs, branches and later changes of cards are not content. */
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
  "addPullRequestReview",
  "createPullRequest",
  "closePullRequest",
  "markPullRequestReadyForReview",
  "convertPullRequestToDraft",
  "mergePullRequest",
  "enqueuePullRequest",
  "addProjectV2ItemById",
]);

/** Expects `route` to be the method and the template. */
export function isContentRoute(route: string): boolean {
  return DOCUMENTED_CONTENT.has(route) || ASSUMED_CONTENT.has(route);
}

export function isContentMutation(name: string): boolean {
  return CONTENT_MUTATIONS.has(name);
}

function inRepository(...routes: readonly string[]): ReadonlySet<string> {
  return new Set(routes.map((route) => route.replace(" ", " /repos/{owner}/{repo}")));
}

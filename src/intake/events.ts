/** These events wake a tick. `app.yml` subscribes to exactly these, and a test compares the two. */
export const EVENTS = [
  "issues",
  "issue_comment",
  "issue_dependencies",
  "sub_issues",
  "projects_v2_item",
  "pull_request",
  "pull_request_review",
  "check_run",
  "status",
  "push",
  "merge_group",
  "repository",
] as const;

/** GitHub delivers these to every App without a subscription. */
export const INSTALLATION_EVENTS = [
  "installation",
  "installation_repositories",
  "installation_target",
] as const;

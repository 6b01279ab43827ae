import { describe, expect, it } from "vitest";
import { kindOfWrite, weigh } from "../../../src/adapters/github/kind-of-write.ts";

const AT = "/repos/{owner}/{repo}";

describe("the kind of a write", () => {
  it.each([
    { asked: ["PUT", `${AT}/pulls/{pull_number}/merge`], kind: "landing", content: true },
    { asked: ["PATCH", `${AT}/git/refs/heads/main`], kind: "landing", content: false },
    { asked: ["POST", `${AT}/pulls`], kind: "pull-request", content: true },
    { asked: ["PATCH", `${AT}/pulls/{pull_number}`], kind: "pull-request", content: true },
    { asked: ["POST", `${AT}/check-runs`], kind: "check", content: true },
    { asked: ["PATCH", `${AT}/check-runs/{check_run_id}`], kind: "check", content: true },
    { asked: ["POST", `${AT}/issues/{issue_number}/labels`], kind: "card", content: false },
    {
      asked: ["DELETE", `${AT}/issues/{issue_number}/labels/{name}`],
      kind: "card",
      content: false,
    },
    { asked: ["POST", `${AT}/labels`], kind: "card", content: false },
    { asked: ["POST", `${AT}/issues/{issue_number}/comments`], kind: "comment", content: true },
    { asked: ["PATCH", `${AT}/issues/comments/{comment_id}`], kind: "comment", content: true },
    {
      asked: ["POST", `${AT}/issues/comments/{comment_id}/reactions`],
      kind: "comment",
      content: true,
    },
    { asked: ["POST", `${AT}/issues`], kind: "issue", content: true },
    { asked: ["PATCH", `${AT}/issues/{issue_number}`], kind: "issue", content: true },
    { asked: ["POST", `${AT}/issues/{issue_number}/sub_issues`], kind: "issue", content: true },
    {
      asked: ["POST", "https://api.github.com/repos/acme/labels/issues"],
      kind: "issue",
      content: true,
    },
  ] as const)(
    "of $asked is $kind, content: $content",
    ({ asked: [method, url], kind, content }) => {
      expect(kindOfWrite({ method, url })).toBe(kind);
      expect(weigh({ method, url })).toEqual({ api: "rest", kind, content });
    },
  );

  it.each([
    {
      query: "mutation MoveRefs($input: X) { updateRefs(input: $input) { x } }",
      kind: "landing",
      content: false,
    },
    {
      query: "mutation E { enqueuePullRequest(input: {}) { x } }",
      kind: "landing",
      content: false,
    },
    {
      query: "mutation U { m0: updateProjectV2ItemFieldValue(input: {}) { x } }",
      kind: "card",
      content: false,
    },
    {
      query: "mutation U { m0: addProjectV2ItemById(input: {}) { item { id } } }",
      kind: "card",
      content: false,
    },
    {
      query: "\n  mutation U { m0: addLabelsToLabelable(input: {}) { x } }",
      kind: "card",
      content: false,
    },
    {
      query: "mutation U { m0: removeLabelsFromLabelable(input: {}) { x } }",
      kind: "card",
      content: false,
    },
    { query: "mutation C { addComment(input: {}) { x } }", kind: "comment", content: true },
    { query: "mutation C { closeIssue(input: {}) { x } }", kind: "issue", content: true },
  ])("of $query is $kind, content: $content", ({ query, kind, content }) => {
    const asked = { method: "POST", url: "https://ghes.test/api/graphql", query };
    expect(weigh(asked)).toEqual({ api: "graphql", kind, content });
  });

  it.each([
    { api: "rest", asked: { method: "GET", url: `${AT}/pulls`, query: undefined } },
    { api: "rest", asked: { method: "HEAD", url: `${AT}/pulls`, query: undefined } },
    {
      api: "graphql",
      asked: { method: "POST", url: "/graphql", query: "query Q { viewer { login } }" },
    },
    { api: "graphql", asked: { method: "POST", url: "/graphql", query: "{ viewer { login } }" } },
  ])("is none for $asked", ({ api, asked }) => {
    expect(kindOfWrite(asked)).toBeUndefined();
    expect(weigh(asked)).toEqual({ api, kind: "read", content: false });
  });

  it("is none for tokens, which count for nothing at all", () => {
    const url = "/app/installations/{installation_id}/access_tokens";
    expect(kindOfWrite({ method: "POST", url })).toBeUndefined();
    expect(weigh({ method: "POST", url })).toBeUndefined();
  });
});

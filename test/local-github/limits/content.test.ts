import { describe, expect, it } from "vitest";
import { mutationFields } from "../../../local-github/graphql/mutations/mutation.ts";
import {
  DOCUMENTED_CONTENT,
  isContentMutation,
  isContentRoute,
} from "../../../local-github/limits/content.ts";
import { ROUTES } from "../../../local-github/rest/find-route.ts";
import { findOperation } from "../../support/schemas/find-operation.ts";

const routes = ROUTES.map(({ method, template }) => ({
  route: `${method} ${template}`,
  description: findOperation(method, template)?.operation.description ?? "",
}));

describe("content", () => {
  it("is made by every route of which GitHub's description warns", () => {
    const warned = routes.filter(({ description }) => /secondary rate limit/i.test(description));
    expect(warned.map(({ route }) => route).toSorted()).toEqual([...DOCUMENTED_CONTENT].toSorted());
  });

  it("is made by other routes whose words people see", () => {
    const assumed = routes.filter(
      ({ route }) => isContentRoute(route) && !DOCUMENTED_CONTENT.has(route),
    );
    expect(assumed.map(({ route }) => route.replace("/repos/{owner}/{repo}", "")))
      .toMatchInlineSnapshot(`
      [
        "POST /check-runs",
        "PATCH /check-runs/{check_run_id}",
        "POST /statuses/{sha}",
        "PATCH /issues/comments/{comment_id}",
        "POST /issues/comments/{comment_id}/reactions",
        "PATCH /issues/{issue_number}",
        "PUT /pulls/{pull_number}/reviews/{review_id}/dismissals",
        "PATCH /pulls/{pull_number}",
      ]
    `);
  });

  it("is not made by mutations of labels, refs, branches and values on boards", () => {
    const others = Object.keys(mutationFields).filter((name) => !isContentMutation(name));
    expect(others.toSorted()).toMatchInlineSnapshot(`
      [
        "addLabelsToLabelable",
        "archiveProjectV2Item",
        "clearProjectV2ItemFieldValue",
        "createProjectV2Field",
        "deleteProjectV2Item",
        "dequeuePullRequest",
        "removeLabelsFromLabelable",
        "unarchiveProjectV2Item",
        "updateProjectV2ItemFieldValue",
        "updateProjectV2ItemPosition",
        "updatePullRequestBranch",
        "updateRefs",
      ]
    `);
  });
});

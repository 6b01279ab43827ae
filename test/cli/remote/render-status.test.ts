import { describe, expect, it } from "vitest";
import { renderStatus } from "../../../src/cli/remote/render-status.ts";
import { NOW } from "../../support/builders.ts";

const IDLE = {
  ...{ at: NOW, host: undefined, slots: 4, repositories: [] },
  runners: [{ name: "claude", slots: 4, running: 0 }],
};

describe("the status", () => {
  it("says what is left of GitHub's API, as far as it is known", () => {
    const left = { limit: 5000, left: 4987, resetsAt: NOW };
    const writes = { limit: 500, left: 480 };
    const budgets = [
      { installation: 7, rest: left, graphql: { ...left, left: 4900 }, writes },
      { installation: 8, rest: undefined, graphql: undefined, writes },
    ];
    const text = renderStatus({ ...IDLE, budgets }, 80);
    expect(text).toContain(
      "GitHub API left this hour: 4987/5000 calls, 4900/5000 GraphQL points, 480/500 writes\n" +
        "GitHub API left this hour: 480/500 writes",
    );
  });
});

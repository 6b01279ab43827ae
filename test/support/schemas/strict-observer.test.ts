import { describe, expect, it } from "vitest";
import { StrictObserver } from "./strict-observer.ts";

describe("StrictObserver", () => {
  it("says nothing when everything fits", () => {
    const observer = new StrictObserver();
    observer.rest({ method: "GET", path: "/repos/a/b/issues", status: 200, responseBody: [] });
    observer.graphql({ document: "{ viewer { login } }", variables: {} });
    expect(() => observer.assertNoViolations()).not.toThrow();
  });

  it("collects the violations of all three kinds, each once", () => {
    const observer = new StrictObserver();
    for (let time = 0; time < 3; time += 1) {
      observer.rest({ method: "GET", path: "/nowhere", status: 200 });
    }
    observer.webhook({ event: "nothing", payload: {} });
    observer.graphql({ document: "{ qqqqqqqqqqqq }" });
    expect(observer.violations).toEqual([
      "GET /nowhere: no such endpoint (3 times)",
      "webhook nothing: no such event or action",
      `GraphQL anonymous: Cannot query field "qqqqqqqqqqqq" on type "Query".`,
    ]);
    expect(() => observer.assertNoViolations()).toThrow("GET /nowhere: no such endpoint");
  });

  it("counts one mistake in many list elements as one", () => {
    const observer = new StrictObserver();
    const responseBody = [{ ref: "refs/heads/a" }, { ref: "refs/heads/b" }];
    observer.rest({
      method: "GET",
      path: "/repos/a/b/git/matching-refs/heads/x",
      status: 200,
      responseBody,
    });
    expect(observer.violations).toContain(
      "GET /repos/{owner}/{repo}/git/matching-refs/{ref} 200: /*/object is missing (2 times)",
    );
  });
});

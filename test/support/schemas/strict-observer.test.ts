import { describe, expect, it } from "vitest";
import { StrictObserver } from "./strict-observer.ts";

const LIST = {
  method: "GET",
  path: "/repos/a/b/issues",
  route: "/repos/{owner}/{repo}/issues",
  status: 200,
  responseHeaders: {},
  responseBody: [],
};

const NOWHERE = { ...LIST, path: "/nowhere", route: undefined };

describe("StrictObserver", () => {
  it("says nothing when everything fits", () => {
    const observer = new StrictObserver();
    observer.rest(LIST);
    observer.graphql({ document: "{ viewer { login } }", variables: {}, result: {} });
    expect(() => observer.assertNoViolations()).not.toThrow();
  });

  it("collects the violations of all three kinds, each once", () => {
    const observer = new StrictObserver();
    for (let time = 0; time < 3; time += 1) observer.rest(NOWHERE);
    observer.webhook({ event: "nothing", headers: {}, payload: {} });
    observer.graphql({ document: "{ qqqqqqqqqqqq }", variables: {}, result: {} });
    expect(observer.violations).toEqual([
      "GET /nowhere: no such endpoint (3 times)",
      "webhook nothing: no such event or action",
      `GraphQL anonymous: Cannot query field "qqqqqqqqqqqq" on type "Query".`,
    ]);
    expect(() => observer.assertNoViolations()).toThrow("GET /nowhere: no such endpoint");
  });

  it("refuses a request that GitHub knows and we do not", () => {
    const observer = new StrictObserver();
    const responseBody = { message: "Not Found", documentation_url: "https://docs.github.com" };
    observer.rest({ ...LIST, path: "/meta", route: undefined, status: 404, responseBody });
    expect(observer.violations).toEqual(["GET /meta: not modelled here"]);
  });

  it("counts one mistake in many list elements as one", () => {
    const observer = new StrictObserver();
    const responseBody = [{ ref: "refs/heads/a" }, { ref: "refs/heads/b" }];
    observer.rest({ ...LIST, path: "/repos/a/b/git/matching-refs/heads/x", responseBody });
    expect(observer.violations).toContain(
      "GET /repos/{owner}/{repo}/git/matching-refs/{ref} 200: /*/object is missing (2 times)",
    );
  });
});

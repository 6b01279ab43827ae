import { describe, expect, it } from "vitest";
import { restViolations } from "./rest-validator.ts";

const MERGE = {
  method: "PUT",
  path: "/repos/acme/app/pulls/7/merge",
  status: 200,
  requestBody: { sha: "abc", merge_method: "squash" },
  responseBody: { sha: "def", merged: true, message: "merged" },
};

const MERGE_NAME = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";

describe("restViolations", () => {
  it("accepts what GitHub documents, below / and below /api/v3", () => {
    expect(restViolations(MERGE)).toEqual([]);
    expect(restViolations({ ...MERGE, path: `/api/v3${MERGE.path}` })).toEqual([]);
  });

  it("accepts the template instead of a concrete path", () => {
    const path = "/repos/{owner}/{repo}/pulls/{pull_number}/merge";
    expect(restViolations({ ...MERGE, path })).toEqual([]);
  });

  it("refuses an endpoint that does not exist", () => {
    const path = "/repos/acme/app/pulls/7/merged";
    expect(restViolations({ ...MERGE, path })).toEqual([`PUT ${path}: no such endpoint`]);
  });

  it("refuses a method that the path does not have", () => {
    expect(restViolations({ ...MERGE, method: "DELETE" })).toHaveLength(1);
  });

  it("refuses a misspelt property in a request body", () => {
    const requestBody = { sha: "abc", mergeMethod: "squash" };
    expect(restViolations({ ...MERGE, requestBody })).toEqual([
      `${MERGE_NAME} request: /mergeMethod is not documented`,
    ]);
  });

  it("refuses a value outside an enum", () => {
    const requestBody = { merge_method: "octopus" };
    expect(restViolations({ ...MERGE, requestBody })).toEqual([
      `${MERGE_NAME} request: /merge_method must be one of ["merge","squash","rebase"]`,
    ]);
  });

  it("does not judge a request that was refused as invalid", () => {
    const refusal = { message: "Validation Failed", documentation_url: "https://docs.github.com" };
    expect(
      restViolations({
        ...MERGE,
        status: 422,
        requestBody: { merge_method: "octopus" },
        responseBody: refusal,
      }),
    ).toEqual([]);
  });

  it("refuses an answer without a required member", () => {
    const responseBody = { sha: "def", merged: true };
    expect(restViolations({ ...MERGE, responseBody })).toEqual([
      `${MERGE_NAME} 200: /message is missing`,
    ]);
  });

  it("refuses a member that the answer's schema does not list", () => {
    const responseBody = { ...MERGE.responseBody, mergedBy: "me" };
    expect(restViolations({ ...MERGE, responseBody })).toEqual([
      `${MERGE_NAME} 200: /mergedBy is not documented`,
    ]);
  });

  it("refuses a status that the operation does not have", () => {
    expect(restViolations({ ...MERGE, status: 201 })).toEqual([
      `${MERGE_NAME} 201: the status is not documented`,
    ]);
  });

  it("accepts the statuses that GitHub documents for the whole API", () => {
    const responseBody = {
      message: "Bad credentials",
      documentation_url: "https://docs.github.com",
    };
    expect(restViolations({ ...MERGE, status: 401, responseBody })).toEqual([]);
    expect(restViolations({ ...MERGE, status: 502, responseBody: undefined })).toEqual([]);
  });

  it("refuses a query parameter and a path value that the operation does not take", () => {
    const list = { method: "GET", status: 200, responseBody: [] };
    expect(
      restViolations({ ...list, path: "/repos/acme/app/issues?per_page=5&state=all" }),
    ).toEqual([]);
    expect(restViolations({ ...list, path: "/repos/acme/app/issues?perPage=5" })).toEqual([
      "GET /repos/{owner}/{repo}/issues request: /perPage is not documented",
    ]);
    expect(restViolations({ ...list, path: "/repos/acme/app/issues/x/comments" })).toEqual([
      "GET /repos/{owner}/{repo}/issues/{issue_number}/comments request: /issue_number must be integer",
    ]);
  });

  it("refuses an answer body where none is documented", () => {
    const removal = { method: "DELETE", path: "/repos/acme/app/git/refs/heads/a/b", status: 204 };
    expect(restViolations(removal)).toEqual([]);
    expect(restViolations({ ...removal, responseBody: { message: "gone" } })).toEqual([
      "DELETE /repos/{owner}/{repo}/git/refs/{ref} 204: a response body is not documented",
    ]);
  });

  it("prefers a literal segment to a placeholder", () => {
    const path = "/repos/acme/app/issues/comments/1";
    const [line] = restViolations({ method: "GET", path, status: 200, responseBody: {} });
    expect(line).toMatch(/^GET \/repos\/\{owner\}\/\{repo\}\/issues\/comments\/\{comment_id\} 200/);
  });

  it("expects the usual shape of a refusal where only its status is described", () => {
    const refusal = { method: "DELETE", path: "/repos/acme/app/git/refs/heads/main", status: 422 };
    const message = "Reference does not exist";
    expect(restViolations({ ...refusal, responseBody: { message } })).toEqual([]);
    expect(restViolations({ ...refusal, responseBody: { error: message } })).not.toEqual([]);
  });

  it("does not look into bytes that were asked for as they are", () => {
    const raw = { method: "GET", path: "/repos/acme/app/contents/README.md", status: 200 };
    const responseHeaders = { "content-type": "application/octet-stream" };
    expect(restViolations({ ...raw, responseHeaders })).toEqual([]);
    expect(restViolations(raw)).not.toEqual([]);
  });
});

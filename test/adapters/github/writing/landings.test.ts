import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MergeLock } from "../../../../src/ports/store.ts";
import { REPO, shaOf } from "../../../support/builders.ts";
import { installed, leaveNetwork, nockedGitHub, refusal } from "../nocked-github.ts";
import type { Answer, NockedGitHub } from "../nocked-github.ts";

const LOCK = {} as MergeLock;
const REQUEST = {
  repo: REPO,
  pull: 11,
  head: shaOf(7),
  method: "squash",
  title: "Sort the list (#11)",
  message: "Because.",
} as const;
const PATH = `/repos/${REPO}/pulls/11/merge`;

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
  installed(on.api);
});
afterEach(leaveNetwork);

describe("mergePullRequest", () => {
  it("merges exactly the head that was approved", async () => {
    on.api
      .put(PATH, {
        sha: shaOf(7),
        merge_method: "squash",
        commit_title: "Sort the list (#11)",
        commit_message: "Because.",
      })
      .reply(200, { merged: true, sha: shaOf(9), message: "Merged" });
    expect(await on.github.mergePullRequest(LOCK, REQUEST)).toEqual({
      kind: "merged",
      commit: shaOf(9),
    });
  });

  it("does not know what an answer means that is not merged", async () => {
    on.api.put(PATH).reply(200, { merged: false, sha: "", message: "Queued" });
    expect(await on.github.mergePullRequest(LOCK, REQUEST)).toMatchObject({ kind: "unknown" });
  });

  it.each<Answer & { kind: string }>([
    { status: 401, kind: "refused" },
    { status: 403, kind: "refused" },
    { status: 403, headers: { "retry-after": "60" }, kind: "unknown" },
    { status: 403, headers: { "x-ratelimit-remaining": "0" }, kind: "unknown" },
    { status: 403, message: "You have exceeded a secondary rate limit.", kind: "unknown" },
    { status: 404, kind: "refused" },
    {
      status: 405,
      message: "Base branch was modified. Review and try the merge again.",
      kind: "refused",
    },
    { status: 405, message: "At least 1 approving review is required.", kind: "refused" },
    { status: 405, message: "Pull Request is not mergeable", kind: "refused" },
    {
      status: 409,
      message: "Head branch was modified. Review and try the merge again.",
      kind: "head-moved",
    },
    { status: 422, kind: "refused" },
    { status: 429, kind: "unknown" },
    { status: 500, kind: "unknown" },
    { status: 502, kind: "unknown" },
    { status: 503, kind: "unknown" },
  ])("takes $status $message $headers for $kind, and asks once", async ({ kind, ...answer }) => {
    on.api.put(PATH).reply(answer.status, refusal(answer), answer.headers);
    expect(await on.github.mergePullRequest(LOCK, REQUEST)).toMatchObject({ kind });
  });

  it("does not know whether it merged when no answer came", async () => {
    on.api.put(PATH).replyWithError(new Error("socket hang up"));
    expect(await on.github.mergePullRequest(LOCK, REQUEST)).toMatchObject({ kind: "unknown" });
  });

  it("says why GitHub refused", async () => {
    on.api.put(PATH).reply(405, { message: "Required status check is expected." });
    expect(await on.github.mergePullRequest(LOCK, REQUEST)).toMatchObject({
      reason: expect.stringContaining("Required status check is expected.") as string,
    });
  });
});

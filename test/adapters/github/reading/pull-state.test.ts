import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { REPO, shaOf } from "../../../support/builders.ts";
import { installed, leaveNetwork, nockedGitHub } from "../nocked-github.ts";
import type { NockedGitHub } from "../nocked-github.ts";

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
});
afterEach(leaveNetwork);

describe("refreshPulls", () => {
  const pull = {
    id: "PR_11",
    number: 11,
    title: "T",
    headRefName: "wavetrain/1",
    headRefOid: shaOf(7),
    baseRefName: "main",
    isDraft: false,
    latestOpinionatedReviews: { nodes: [] },
  };
  const at = { pulls: [11, 12], branches: ["wavetrain/1", "wavetrain/2"] };

  it("reads pull requests in any state, and which branches are wanted, by one query", async () => {
    const repository = {
      p0: { ...pull, state: "MERGED" },
      p1: { ...pull, number: 12, state: "OPEN" },
      b0: { totalCount: 0 },
      b1: { totalCount: 2 },
    };
    installed(on.api).post("/graphql").reply(200, { data: { repository } });
    const look = await on.github.refreshPulls(REPO, at);
    expect([...look.pulls.values()].map(({ state }) => state)).toEqual(["merged", "open"]);
    expect([...look.wanted]).toEqual([
      ["wavetrain/1", false],
      ["wavetrain/2", true],
    ]);
  });

  it("leaves out what is not there, and asks nothing about nothing", async () => {
    const errors = [{ type: "NOT_FOUND", path: ["repository", "p1"], message: "no" }];
    const repository = {
      p0: { ...pull, state: "OPEN" },
      p1: null,
      b0: { totalCount: 0 },
      b1: null,
    };
    installed(on.api).post("/graphql").reply(200, { data: { repository }, errors });
    const look = await on.github.refreshPulls(REPO, at);
    expect([...look.pulls.keys()]).toEqual([11]);
    expect([...look.wanted.keys()]).toEqual(["wavetrain/1"]);
    const nothing = await on.github.refreshPulls(REPO, { pulls: [], branches: [] });
    expect([...nothing.pulls, ...nothing.wanted]).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { pullFromNode } from "../../src/adapters/github/reading/parse-reading.ts";
import { approversOf, isApproved } from "../../src/domain/pull-review.ts";
import { shaOf } from "../support/builders.ts";

function pullApprovedBy(...authors: readonly (readonly [type: string, login: string])[]) {
  const reviews = authors.map(([__typename, login], at) => ({
    id: `r${at}`,
    submittedAt: null,
    state: "APPROVED",
    commit: { oid: shaOf(7) },
    author: { __typename, login },
  }));
  return pullFromNode({
    id: "p",
    number: 1,
    title: "t",
    headRefName: "wavetrain/1",
    baseRefName: "main",
    headRefOid: shaOf(7),
    isDraft: false,
    latestOpinionatedReviews: { nodes: reviews },
  });
}

describe("9: a bot with write access that approves", () => {
  const robot = ["Bot", "robot"] as const;

  it("counts for nothing, unless the repository names it", () => {
    const pull = pullApprovedBy(robot);
    expect(isApproved(pull, { approvals: 1, approvingBots: [] })).toBe(false);
    for (const name of ["robot", "robot[bot]", "Robot"])
      expect(isApproved(pull, { approvals: 1, approvingBots: [name] })).toBe(true);
  });

  it("does not stand in for the second person who is asked for", () => {
    const pull = pullApprovedBy(["User", "ada"], robot);
    expect(isApproved(pull, { approvals: 2, approvingBots: ["other"] })).toBe(false);
    expect(approversOf(pull, { approvingBots: [] })).toEqual(["ada"]);
  });

  it.each(["Mannequin", "Organization", "SomethingNew"])("a %s is no person either", (type) => {
    const pull = pullApprovedBy([type, "someone"]);
    expect(isApproved(pull, { approvals: 1, approvingBots: [] })).toBe(false);
  });
});

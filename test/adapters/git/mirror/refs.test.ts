import { describe, expect, it } from "vitest";
import { branchRef, mirroredRef } from "../../../../src/adapters/git/mirror/refs.ts";

describe("branchRef", () => {
  it.each(["main", "wavetrain/12-fix", "+plus", "ä", "a%b", "a.b"])("takes %j", (branch) => {
    expect(branchRef(branch)).toBe(`refs/heads/${branch}`);
  });

  it.each([
    "",
    "-x",
    "a:b",
    "a..b",
    "a b",
    "a*",
    "a.lock",
    "a.lock/b",
    "/a",
    "a/",
    "a//b",
    ".a",
    "a/.b",
    "a.",
    "a\nb",
    "a~1",
    "a^",
    "a@{1}",
    "a\\b",
    "a?",
    "a[b",
  ])("refuses %j", (branch) => {
    expect(() => branchRef(branch)).toThrow(expect.objectContaining({ code: "git-failed" }));
  });
});

describe("mirroredRef", () => {
  it("is one component, whatever the branch is called", () => {
    expect(mirroredRef("a/b")).toBe("refs/wavetrain/remote/a%2Fb");
  });
});

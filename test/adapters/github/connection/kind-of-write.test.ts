import { describe, expect, it } from "vitest";
import { weigh } from "../../../../src/adapters/github/connection/kind-of-write.ts";

const CHECKS = "/repos/{owner}/{repo}/check-runs";

describe("weigh", () => {
  it("takes the verdict of a check for a part of the landing, which is content all the same", () => {
    expect(weigh({ method: "POST", url: CHECKS })).toMatchObject({ kind: "check", content: true });
    expect(weigh({ method: "POST", url: CHECKS, conclusion: "success" })).toMatchObject({
      kind: "landing",
      content: true,
    });
  });
});

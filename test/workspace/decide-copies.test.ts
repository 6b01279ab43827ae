import { describe, expect, it } from "vitest";
import { copiesOfRun, copiesOfVerification } from "../../src/workspace/decide-copies.ts";

describe("copiesOfRun", () => {
  it.each([
    ["a first attempt", { onBase: true, fresh: true, begun: false }, "make"],
    ["a later attempt", { onBase: true, fresh: false, begun: false }, "use"],
    ["a rework", { onBase: false, fresh: false, begun: false }, "use"],
    ["a rework without a HOME", { onBase: false, fresh: true, begun: false }, "use"],
    [
      "a run that is taken up again in its setup",
      { onBase: true, fresh: false, begun: true },
      "never",
    ],
  ] as const)("%s", (_what, facts, copies) => {
    expect(copiesOfRun(facts)).toBe(copies);
  });
});

describe("copiesOfVerification", () => {
  it("takes copies only where agents cannot reach them", () => {
    expect(copiesOfVerification("bubblewrap")).toBe("use");
    expect(copiesOfVerification("container")).toBe("use");
    expect(copiesOfVerification("none")).toBe("never");
  });
});

import { describe, expect, it } from "vitest";
import { claimForPath } from "../../../src/domain/claim/claim.ts";
import { compileScope, pathAllowed } from "../../../src/domain/claim/scope.ts";

describe("claimForPath", () => {
  it.each([
    "src/list.ts",
    "app/[id]/page.tsx",
    "a*b?.txt",
    "!odd/{x,y}.md",
    "@(one|two)+(x).ts",
    "back\\slash.txt",
  ])("allows %s and nothing beside it", (path) => {
    const scope = compileScope([claimForPath(path)], () => false);
    if (!scope.ok) throw new Error(JSON.stringify(scope.error));
    expect(pathAllowed(scope.value, path)).toBe(true);
    expect(pathAllowed(scope.value, "app/i/page.tsx")).toBe(false);
    expect(pathAllowed(scope.value, "aXb1.txt")).toBe(false);
    expect(pathAllowed(scope.value, "one.ts")).toBe(false);
  });
});

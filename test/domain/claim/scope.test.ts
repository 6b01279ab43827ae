import { describe, expect, it } from "vitest";
import { claimRules } from "../../../src/domain/claim/claim-rules.ts";
import {
  compileScope,
  isBarrierPath,
  isSharedPath,
  pathAllowed,
  pathTouches,
} from "../../../src/domain/claim/scope.ts";
import type { Scope } from "../../../src/domain/claim/scope.ts";
import fc from "../../support/fast-check.ts";
import { claim, compiled } from "./support/compiled.ts";
import { allPaths } from "./support/conflict-oracle.ts";
import { naiveMatches, naiveMatchesAbove } from "./support/naive-matcher.ts";
import { patternModels, patternText } from "./support/pattern-model.ts";
import type { PatternModel } from "./support/pattern-model.ts";

const size = { alphabet: ["a", "b", "."], maxParts: 3, maxAtoms: 3 };
const models = patternModels(size);
const world = allPaths(size.alphabet, 5);

describe("pathAllowed", () => {
  it("agrees with an independent matcher on every path of a small world", () => {
    fc.assert(
      fc.property(models, (model) => {
        const scope = scopeOf(patternText(model));
        const wrong = world.filter((p) => pathAllowed(scope, p) !== naiveMatches(model, p));
        expect(wrong).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("takes exactly the excluded paths and all below them out of the claim", () => {
    fc.assert(
      fc.property(models, models, (claimed, excluded) => {
        const scope = scopeOf(patternText(claimed), `!./${patternText(excluded)}`);
        const isExcluded = (p: string): boolean =>
          naiveMatches(excluded, p) ||
          naiveMatchesAbove(excluded, p) ||
          emptiesDirectory(excluded, p);
        const expected = world.filter((p) => naiveMatches(claimed, p) && !isExcluded(p));
        expect(world.filter((p) => pathAllowed(scope, p))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves what stands above the directories of an exclusion in the claim", () => {
    const scope = scopeOf("a", "!./*/**/*/");

    expect(pathAllowed(scope, "a")).toBe(true);
    expect(pathAllowed(scope, "a/b/c")).toBe(false);
  });

  it("looks at letter case, but not in exclusions", () => {
    const scope = scopeOf("src/**/*.ts", "!src/Secret/");

    expect(pathAllowed(scope, "src/a.ts")).toBe(true);
    expect(pathAllowed(scope, "src/a.TS")).toBe(false);
    expect(pathAllowed(scope, "src/secret/a.ts")).toBe(false);
  });

  it("does not tell the two ways to write an accent apart", () => {
    expect(pathAllowed(scopeOf("caf\u00e9/"), "cafe\u0301/a.ts")).toBe(true);
  });

  it.each(["", "/", "src//a.ts", "src/./a.ts", "src/../a.ts", "/src/a.ts", "src/"])(
    "refuses %j, which is no path of a tree",
    (path) => {
      expect(pathAllowed(scopeOf("**"), path)).toBe(false);
    },
  );

  it("allows nothing by read claims", () => {
    expect(pathAllowed(scopeOf("read: src/a.ts"), "src/a.ts")).toBe(false);
  });

  it("has no scope for a claim that cannot be read", () => {
    const scope = compileScope([{ mode: "write", pattern: "src/{a" }]);

    expect(scope).toMatchObject({ ok: false, error: { kind: "unreadable", pattern: "src/{a" } });
  });
});

describe("pathTouches", () => {
  it.each([
    { claims: ["src/a.ts"], path: "src/a.ts", touches: true },
    { claims: ["src/a.ts"], path: "src/A.ts", touches: true },
    { claims: ["src/a.ts"], path: "src/b.ts", touches: false },
    { claims: ["src/a.ts"], path: "src/a.ts/b", touches: true },
    { claims: ["src/lib/x.ts"], path: "src/lib", touches: true },
    { claims: ["read: src/a.ts", "b.ts"], path: "src/a.ts", touches: true },
    { claims: ["src/**", "!src/a.ts"], path: "src/a.ts", touches: false },
    { claims: ["read: src/a.ts"], path: "other.ts", touches: true },
  ])("$claims and a write to $path: $touches", ({ claims, path, touches }) => {
    expect(pathTouches(compiled(...claims), path)).toBe(touches);
  });
});

describe("rules about a path", () => {
  const rules = claimRules();

  it.each([
    ["package-lock.json", true],
    ["packages/a/yarn.lock", true],
    ["docs/CHANGELOG.md", true],
    ["package.json", false],
  ])("%s is shared: %s", (path, shared) => {
    expect(isSharedPath(path, rules)).toBe(shared);
  });

  it.each([
    [".gitignore", true],
    ["src/.gitattributes", true],
    [".github/workflows/ci.yml", true],
    ["src/.github/a.yml", false],
    ["src/a.ts", false],
  ])("%s is a barrier: %s", (path, barrier) => {
    expect(isBarrierPath(path, rules)).toBe(barrier);
  });

  it("refuses a rule that is no pattern", () => {
    expect(() => claimRules({ shared: ["a{"] })).toThrow("not a path pattern: a{");
  });
});

/** An exclusion of everything below a directory takes out a file in the directory's place too. */
function emptiesDirectory(excluded: PatternModel, path: string): boolean {
  const text = patternText(excluded);
  const isAllBelow = text.endsWith("/") || text.endsWith("**") || text.endsWith("**/*");
  return isAllBelow && naiveMatches(excluded, `${path}/zz`);
}

function scopeOf(...lines: readonly string[]): Scope {
  const scope = compileScope(lines.map(claim));
  if (!scope.ok) throw new Error(scope.error.kind);
  return scope.value;
}

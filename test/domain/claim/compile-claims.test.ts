import { describe, expect, it } from "vitest";
import { claimRules } from "../../../src/domain/claim/claim-rules.ts";
import { claimsConflict } from "../../../src/domain/claim/claims-conflict.ts";
import { compileClaims } from "../../../src/domain/claim/compile-claims.ts";
import type { CompiledClaims } from "../../../src/domain/claim/compile-claims.ts";
import { MAX_ALTERNATIVES_PER_TASK } from "../../../src/domain/glob/limits.ts";
import { patternKey } from "../../../src/domain/glob/path-pattern.ts";
import { claim } from "./support/compiled.ts";

const rules = claimRules();

describe("compileClaims", () => {
  it.each([
    { lines: [], alone: { kind: "no-writes" } },
    { lines: ["read: src/a.ts"], alone: { kind: "no-writes" } },
    { lines: ["!src/a.ts"], alone: { kind: "no-writes" } },
    { lines: ["src/a.ts", ".gitignore"], alone: { kind: "barrier", pattern: ".gitignore" } },
    { lines: ["**/.gitattributes"], alone: { kind: "barrier", pattern: "**/.gitattributes" } },
    { lines: [".github"], alone: { kind: "barrier", pattern: ".github" } },
    { lines: [".GitHub/workflows/*.yml"], alone: { kind: "barrier" } },
    { lines: ["src/{.gitignore,a.ts}"], alone: { kind: "barrier" } },
    { lines: ["src/**"], alone: undefined },
    { lines: ["**"], alone: undefined },
    { lines: ["*"], alone: undefined },
    { lines: ["read: .gitignore", "src/a.ts"], alone: undefined },
    { lines: ["yarn.lock"], alone: undefined },
  ])("finds that $lines runs alone: $alone", ({ lines, alone }) => {
    const found = compile(lines).alone;

    if (alone === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(alone);
  });

  it("keeps a claim that cannot be read apart from everything", () => {
    const { alone } = compileClaims([{ mode: "write", pattern: "a/../b" }], rules);

    expect(alone).toMatchObject({ kind: "unreadable", pattern: "a/../b" });
  });

  it.each([
    ["yarn.lock", "yarn.lock"],
    ["packages/*/package-lock.json", "**/package-lock.json"],
    ["packages/a/CHANGELOG.md", "packages/**/changelog.md"],
  ])("lets %s and %s be written together", (a, b) => {
    expect(claimsConflict(compile([a]), compile([b]))).toBeUndefined();
  });

  it("still sees the other files of a pattern that reaches shared ones", () => {
    expect(claimsConflict(compile(["*.json"]), compile(["package-*"]))).toBeDefined();
  });

  it("asks the base tree about every literal path and about nothing else", () => {
    const asked: string[] = [];
    const isDirectory = (path: string): undefined => void asked.push(path);

    compileClaims(["src/{a,B}", "src/*", "docs/", "**/x"].map(claim), claimRules({ isDirectory }));

    expect(asked).toEqual(["src/a", "src/B"]);
  });

  it("widens the largest claims of a task that stands for too many alternatives", () => {
    const lines = ["a/{1..400}.ts", "b/{1..500}.ts", "c/{1..450}.ts", "d/x.ts"];

    const { writes } = compile(lines);

    expect(writes.length).toBeLessThanOrEqual(MAX_ALTERNATIVES_PER_TASK);
    expect(writes.map(patternKey)).toContain(patternKey(compile(["b/**"]).writes[0]!));
    for (const line of ["a/400.ts", "b/500.ts", "b/zzz.ts", "c/450.ts", "d/x.ts"]) {
      expect(claimsConflict(compile(lines), compile([line]))).toBe(line);
    }
  });

  it("lists every alternative up to the limit, and widens beyond it", () => {
    expect(compile([`src/${"{a,b}".repeat(9)}.ts`]).writes).toHaveLength(512);
    expect(compile([`src/${"{a,b}".repeat(10)}.ts`]).writes).toEqual(compile(["src/**"]).writes);
    expect(compile(["src/{a,b{c,d}}{e,f}.ts"]).writes).toHaveLength(6);
  });

  it("plans without exclusions when there are too many", () => {
    const many = ["src/**", "!src/{a..z}/", "!src/{A..Z}{1..2}/"];

    expect(claimsConflict(compile(many.slice(0, 2)), compile(["src/a/x.ts"]))).toBeUndefined();
    expect(claimsConflict(compile(many), compile(["src/a/x.ts"]))).toBe("src/a/x.ts");
  });
});

function compile(lines: readonly string[]): CompiledClaims {
  return compileClaims(lines.map(claim), rules);
}

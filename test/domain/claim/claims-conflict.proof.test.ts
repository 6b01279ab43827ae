import { describe, expect, it } from "vitest";
import { claimsConflict } from "../../../src/domain/claim/claims-conflict.ts";
import { compileScope, pathAllowed } from "../../../src/domain/claim/scope.ts";
import fc from "../../support/fast-check.ts";
import { times } from "../../support/proofs.ts";
import { claim, compiled } from "./support/compiled.ts";
import { certifies } from "./support/conflict-oracle.ts";
import { patternModels, patternText } from "./support/pattern-model.ts";

const RUNS = { numRuns: times({ test: 1000, ci: 3000, long: 30_000 }) };
const models = patternModels({ alphabet: ["a", "b", "c", "."], maxParts: 5, maxAtoms: 4 });
const patterns = models.map(patternText);
const names = fc.string({
  unit: fc.constantFrom("a", "b", "A", "é", "."),
  minLength: 1,
  maxLength: 4,
});
const paths = fc.array(names.filter(isName), { minLength: 1, maxLength: 5 });

describe("claimsConflict", () => {
  it("does not depend on the order of the two", () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        const [there, back] = [conflict([a], [b]), conflict([b], [a])];
        expect(there === undefined).toBe(back === undefined);
      }),
      RUNS,
    );
  });

  it("finds every pattern in conflict with itself", () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        expect(conflict([pattern], [pattern])).toBeDefined();
      }),
      RUNS,
    );
  });

  it("finds a conflict wherever both claims allow one path", () => {
    fc.assert(
      fc.property(paths.chain(twoClaimsOnOnePath), ({ path, a, b }) => {
        expect(allows([a], path)).toBe(true);
        expect(allows([b], path)).toBe(true);
        expect(conflict([a], [b])).toBeDefined();
      }),
      RUNS,
    );
  });

  it("finds a conflict wherever both claims allow one path in spite of exclusions", () => {
    const exclusions = fc.array(
      patterns.map((pattern) => `!./${pattern}`),
      { maxLength: 2 },
    );
    let allowedByBoth = 0;
    fc.assert(
      fc.property(paths.chain(twoClaimsOnOnePath), exclusions, exclusions, (shared, x, y) => {
        const [a, b] = [
          [shared.a, ...x],
          [shared.b, ...y],
        ];
        if (!allows(a, shared.path) || !allows(b, shared.path)) return;
        allowedByBoth += 1;
        expect(conflict(a, b)).toBeDefined();
      }),
      RUNS,
    );
    expect(allowedByBoth).toBeGreaterThan(300);
  });

  it("gives an example that both claims stand for", () => {
    fc.assert(
      fc.property(models, models, (a, b) => {
        const example = conflict([patternText(a)], [patternText(b)]);
        if (example === undefined) return;
        expect(certifies(example, a, b)).toBe(true);
        expect(certifies(example, b, a)).toBe(true);
      }),
      RUNS,
    );
  });

  it("keeps a conflict when one of the claims is widened", () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        if (conflict([a], [b]) === undefined) return;
        expect(conflict(["**"], [b])).toBeDefined();
        expect(conflict([literalDirectory(a)], [b])).toBeDefined();
        expect(conflict([a, "docs/**"], [b])).toBeDefined();
      }),
      RUNS,
    );
  });

  it("takes braces for each of their alternatives", () => {
    fc.assert(
      fc.property(patterns, patterns, patterns, (a, b, other) => {
        const either = conflict([a], [other]) ?? conflict([b], [other]);
        expect(conflict([`{${a},${b}}`], [other])).toBe(either);
      }),
      RUNS,
    );
  });

  it("lets any number of tasks read the same files", () => {
    fc.assert(
      fc.property(patterns, patterns, (a, b) => {
        expect(conflict([`read: ${a}`], [`read: ${b}`])).toBeUndefined();
        const isWritten = conflict([a], [b]) !== undefined;
        expect(conflict([`read: ${a}`], [b]) !== undefined).toBe(isWritten);
        expect(conflict([a], [`read: ${b}`]) !== undefined).toBe(isWritten);
      }),
      RUNS,
    );
  });
});

function conflict(a: readonly string[], b: readonly string[]): string | undefined {
  return claimsConflict(compiled(...a), compiled(...b));
}

function allows(lines: readonly string[], path: string): boolean {
  const scope = compileScope(lines.map(claim));
  return scope.ok && pathAllowed(scope.value, path);
}

function isName(name: string): boolean {
  return name !== "." && name !== "..";
}

interface SharedPath {
  readonly path: string;
  readonly a: string;
  readonly b: string;
}

function twoClaimsOnOnePath(segments: readonly string[]): fc.Arbitrary<SharedPath> {
  const path = segments.join("/");
  return fc.record({
    path: fc.constant(path),
    a: generalized(segments),
    b: generalized(segments),
  });
}

/** A pattern that matches the path: some characters and directories of it are left open. */
function generalized(segments: readonly string[]): fc.Arbitrary<string> {
  const opened = fc.tuple(...segments.map(openedName));
  const cut = fc.record({ from: fc.nat(segments.length), length: fc.nat(2), isCut: fc.boolean() });
  return fc.tuple(opened, cut).map(([open, { from, length, isCut }]) => {
    if (!isCut) return open.join("/");
    const end = Math.min(from + length, open.length);
    const isEmptyEnd = end === from && from === open.length;
    const middle = isEmptyEnd ? [] : ["**"];
    return [...open.slice(0, from), ...middle, ...open.slice(end)].join("/");
  });
}

function openedName(name: string): fc.Arbitrary<string> {
  const characters = Array.from(name);
  const open = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("keep", "?", "*", "class") },
    { weight: 1, arbitrary: fc.constant("braces") },
  );
  return fc.tuple(...characters.map(() => open)).map((choices) => {
    const text = characters.map((char, i) => openedCharacter(char, choices[i] ?? "keep")).join("");
    return text.replaceAll(/\*{2,}/g, "*");
  });
}

function openedCharacter(char: string, choice: string): string {
  if (choice === "class") return `[0${char}]`;
  if (choice === "braces") return `{${char},zz}`;
  return choice === "keep" ? char : choice;
}

function literalDirectory(pattern: string): string {
  const special = pattern.search(/[*?[]/);
  const literal = special === -1 ? pattern : pattern.slice(0, special);
  return `${literal.slice(0, literal.lastIndexOf("/") + 1)}**`;
}

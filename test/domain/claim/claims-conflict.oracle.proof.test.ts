import { describe, expect, it } from "vitest";
import { claimsConflict } from "../../../src/domain/claim/claims-conflict.ts";
import type { CompiledClaims } from "../../../src/domain/claim/compile-claims.ts";
import { literalPrefix } from "../../../src/domain/glob/path-pattern.ts";
import fc from "../../support/fast-check.ts";
import { times } from "../../support/proofs.ts";
import { compiled } from "./support/compiled.ts";
import {
  allPaths,
  automataOf,
  certifies,
  conflictInSmallWorld,
  conflictOfAutomata,
  matchEveryPath,
  matchEveryPathFolded,
} from "./support/conflict-oracle.ts";
import { lowerCase, patternModels, patternText } from "./support/pattern-model.ts";
import type { ModelSize, PatternModel } from "./support/pattern-model.ts";

type Conflict = (a: CompiledClaims, b: CompiledClaims) => string | undefined;

interface Subject<T> {
  readonly truth: T;
  readonly model: PatternModel;
  readonly claims: CompiledClaims;
}

interface Verdict {
  readonly pairs: number;
  readonly conflicts: number;
  readonly missed: readonly string[];
  readonly falseAlarms: readonly string[];
}

const SMALL: ModelSize = { alphabet: ["a", "b", "."], maxParts: 3, maxAtoms: 3 };
const LONG: ModelSize = { alphabet: ["a", "b", "c", "1", "."], maxParts: 6, maxAtoms: 6 };
const SMALL_WORLD = allPaths(SMALL.alphabet, 6);

function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

describe("claimsConflict against every path of a small world", () => {
  it.each(seedsFrom(11, times({ test: 1, ci: 3, long: 30 })))(
    "misses nothing and raises no false alarm (seed %i)",
    (seed) => {
      const verdict = judge(smallPool(seed, 280), conflictInSmallWorld, claimsConflict);

      expect(verdict).toMatchObject({ missed: [], falseAlarms: [] });
      expect(verdict.pairs).toBeGreaterThan(39_000);
      expect(verdict.conflicts / verdict.pairs).toBeGreaterThan(0.1);
      expect(verdict.conflicts / verdict.pairs).toBeLessThan(0.9);
    },
  );

  it("catches a comparison of literal prefixes", () => {
    const verdict = judge(smallPool(14, 60), conflictInSmallWorld, prefixComparison);

    expect(verdict.falseAlarms.length).toBeGreaterThan(0);
  });

  it("catches a comparison of texts", () => {
    const verdict = judge(smallPool(15, 60), conflictInSmallWorld, equalTexts);

    expect(verdict.missed.length).toBeGreaterThan(0);
  });
});

describe("claimsConflict where letter case does not tell files apart", () => {
  it("misses nothing and raises no false alarm", () => {
    const size: ModelSize = { alphabet: ["a", "A", "b", "."], maxParts: 3, maxAtoms: 2 };
    const world = allPaths(size.alphabet, 5);
    const pool = poolOf(16, {
      size,
      count: 150,
      truth: (model) => matchEveryPathFolded(model, world),
    });

    const verdict = judge(pool, conflictInSmallWorld, claimsConflict);

    expect(verdict).toMatchObject({ missed: [], falseAlarms: [] });
    expect(verdict.pairs).toBeGreaterThan(11_000);
  });
});

describe("claimsConflict against finite automata", () => {
  it.each(seedsFrom(21, times({ test: 1, ci: 2, long: 20 })))(
    "agrees on longer patterns (seed %i)",
    (seed) => {
      const pool = poolOf(seed, { size: LONG, count: 220, truth: automataOf });

      const verdict = judge(pool, conflictOfAutomata, claimsConflict);

      expect(verdict).toMatchObject({ missed: [], falseAlarms: [] });
      expect(verdict.pairs).toBeGreaterThan(24_000);
      expect(verdict.conflicts).toBeGreaterThan(500);
    },
  );

  it("catches a comparison of literal prefixes", () => {
    const pool = poolOf(23, { size: LONG, count: 40, truth: automataOf });

    expect(judge(pool, conflictOfAutomata, prefixComparison).falseAlarms.length).toBeGreaterThan(0);
  });
});

function smallPool(seed: number, count: number): Subject<ReturnType<typeof matchEveryPath>>[] {
  return poolOf(seed, { size: SMALL, count, truth: (model) => matchEveryPath(model, SMALL_WORLD) });
}

interface Pool<T> {
  readonly size: ModelSize;
  readonly count: number;
  readonly truth: (model: PatternModel) => T;
}

function poolOf<T>(seed: number, { size, count, truth }: Pool<T>): Subject<T>[] {
  const models = fc.sample(patternModels(size), { numRuns: count, seed });
  return models.map((model) => ({
    model,
    truth: truth(model),
    claims: compiled(patternText(model)),
  }));
}

/** Compares the product with the truth on every pair; a conflict needs an example that an independent matcher accepts. */
function judge<T>(
  pool: readonly Subject<T>[],
  conflicts: (a: T, b: T) => boolean,
  product: Conflict,
): Verdict {
  const missed: string[] = [];
  const falseAlarms: string[] = [];
  let [pairs, found] = [0, 0];
  pool.forEach((a, i) => {
    for (const b of pool.slice(0, i + 1)) {
      const example = product(a.claims, b.claims);
      const label = `${patternText(a.model)} ~ ${patternText(b.model)}`;
      pairs += 1;
      if (example === undefined && conflicts(a.truth, b.truth)) missed.push(label);
      if (example === undefined) continue;
      found += 1;
      const [modelA, modelB] = [lowerCase(a.model), lowerCase(b.model)];
      const path = example.toLowerCase();
      const isTrue = certifies(path, modelA, modelB) && certifies(path, modelB, modelA);
      if (!isTrue) falseAlarms.push(`${label}: ${example}`);
    }
  });
  return { pairs, conflicts: found, missed, falseAlarms };
}

/** Wrong on purpose: sees only the directories in front of the first special character. */
function prefixComparison(a: CompiledClaims, b: CompiledClaims): string | undefined {
  const [x, y] = [a, b].map(({ writes: [first] }) => (first ? literalPrefix(first).join("/") : ""));
  if (x === undefined || y === undefined) return undefined;
  if (x.startsWith(y)) return x;
  return y.startsWith(x) ? y : undefined;
}

/** Wrong on purpose: finds only patterns that are written the same. */
function equalTexts(a: CompiledClaims, b: CompiledClaims): string | undefined {
  return JSON.stringify(a.writes) === JSON.stringify(b.writes) ? claimsConflict(a, b) : undefined;
}

import type { LandingMethod } from "../../../src/domain/entry.ts";
import type { Priority } from "../../../src/domain/plan.ts";
import fc from "../../support/fast-check.ts";

/** What one change does: green alone and with all others, red, or red only beside another one of its kind. */
export type Nature = "good" | "bad" | "clash";

export interface ChangePlan {
  readonly nature: Nature;
  /** Few, so that some write the same file. */
  readonly file: number;
  readonly dependsOn: number | undefined;
  readonly priority: Priority;
}

/** What there is to land, and how. */
export interface Setting {
  readonly changes: readonly ChangePlan[];
  readonly method: LandingMethod;
  readonly landing: "fast-forward" | "merge-api";
  readonly batch: number;
  readonly window: number;
  /** Whether someone's pull request goes to the branch of the first one. */
  readonly stacked: boolean;
}

export interface Scenario extends Setting {
  /** How much goes wrong: of a hundred calls. */
  readonly trouble: number;
  /** How much others do meanwhile: of a hundred steps. */
  readonly bustle: number;
  /** How many verifications fail by chance: of a hundred. */
  readonly flakes: number;
  readonly seed: number;
}

const change: fc.Arbitrary<ChangePlan> = fc.record({
  nature: fc.constantFrom<Nature>("good", "good", "good", "bad", "clash"),
  file: fc.integer({ min: 0, max: 7 }),
  dependsOn: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 4 }),
  priority: fc.constantFrom<Priority>("high", "normal", "low"),
});

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 6 }),
  method: fc.constantFrom<LandingMethod>("squash", "squash", "merge"),
  landing: fc.constantFrom("fast-forward", "fast-forward", "fast-forward", "merge-api"),
  batch: fc.constantFrom(1, 4, 8),
  window: fc.constantFrom(1, 1, 2, 3),
  trouble: fc.constantFrom(0, 5, 20),
  bustle: fc.constantFrom(0, 3, 10),
  flakes: fc.constantFrom(0, 0, 10),
  stacked: fc.boolean(),
  seed: fc.integer(),
});

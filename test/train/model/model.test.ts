import fc from "fast-check";
import { describe, it } from "vitest";
import { ModelWorld } from "./model-world.ts";
import { scenario } from "./scenario.ts";

/** A few seconds; the nightly command asks for more. */
const RUNS = Number(process.env["TRAIN_RUNS"] ?? 2000);

describe("the train under any schedule", () => {
  it(`keeps its invariants in ${RUNS} interleavings of two processes, people and failures`, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, (drawn) => new ModelWorld(drawn).run()),
      { numRuns: RUNS },
    );
  }, 600_000);
});

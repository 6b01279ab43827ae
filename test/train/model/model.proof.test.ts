import { describe, expect, it } from "vitest";
import fc from "../../support/fast-check.ts";
import { times } from "../../support/proofs.ts";
import { ModelWorld, waysOf } from "./model-world.ts";
import { scenario } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";
import { Scene } from "./scene.ts";

const RUNS = times({ test: 100, ci: 2000, long: 10_000 });
/** Shrinking takes longer than failing: whoever only wants to know that something fails turns it off. */
const SHRINK = process.env["TRAIN_SHRINK"] !== "off";

describe("the train under any schedule", () => {
  it(`keeps its invariants in ${RUNS} interleavings of two processes, people and failures`, async () => {
    const seen = { acquired: 0, renewed: 0, busy: 0, lost: 0, fenced: 0, late: 0, landed: 0 };
    await fc.assert(
      fc.asyncProperty(scenario, async (drawn) => {
        const { scene, run } = worldFor(drawn);
        await run();
        for (const [kind, count] of Object.entries(scene.store.counts)) {
          seen[kind as keyof typeof scene.store.counts] += count;
        }
        seen.late += scene.hub.movedLate.size;
        seen.landed += scene.invariants.landed.length;
      }),
      { numRuns: RUNS, endOnFailure: !SHRINK, includeErrorInReport: true },
    );
    process.stdout.write(`${RUNS} interleavings: ${JSON.stringify(seen)}\n`);
    // They really compete: one finds the other there, loses its lease, is refused by its fence. Being late with the one call that
    // moves branches is rare here: stops.proof.test.ts makes that happen at every call.
    const often = Object.entries(seen).flatMap(([kind, count]) => (kind === "late" ? [] : [count]));
    // A lost lease comes about once in sixty interleavings: a few hundred may have none.
    if (RUNS < 2000) return;
    for (const count of often) expect(count).toBeGreaterThan(RUNS / 400);
  }, 3_600_000);
});

/** Enough for a train of six to get into every kind of trouble. */
const STEPS = 250;

function worldFor(drawn: Scenario) {
  const ways = waysOf(drawn);
  const scene = new Scene(drawn, ways);
  const world = new ModelWorld(drawn, scene, ways.random);
  return { scene, run: () => world.run(STEPS) };
}

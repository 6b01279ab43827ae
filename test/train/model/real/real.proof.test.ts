import { describe, expect, it } from "vitest";
import fc from "../../../support/fast-check.ts";
import { times } from "../../../support/proofs.ts";
import { ModelWorld, waysOf } from "../model-world.ts";
import { scenario } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import { RealScene } from "./real-scene.ts";

/** A run takes about 1.5 s of a processor. */
const RUNS = times({ test: 4, ci: 50, long: 250 });
/** Enough for two or three changes; a step is a call of git or of GitHub here. */
const STEPS = 50;
const MOST_CHANGES = 3;
/** At the same time: most of a run is waiting for git. */
const ABREAST = 4;
/** One in so many speaks to GitHub's git over HTTP, too. */
const HTTP_EVERY = 8;

const seen = { acquired: 0, renewed: 0, busy: 0, lost: 0, fenced: 0, landed: 0 };

async function runOne(drawn: Scenario, number: number): Promise<void> {
  const changes = drawn.changes.slice(0, MOST_CHANGES);
  const setting = { ...drawn, changes, overHttp: number % HTTP_EVERY === 0 };
  const ways = waysOf(drawn);
  const scene = await RealScene.create(setting, ways);
  try {
    await new ModelWorld(setting, scene, ways.random).run(STEPS);
    for (const [kind, count] of Object.entries(scene.store.counts)) {
      seen[kind as keyof typeof scene.store.counts] += count;
    }
    seen.landed += scene.invariants.landed.length;
  } catch (error) {
    throw new Error(`run ${number}: ${JSON.stringify(setting)}`, { cause: error });
  } finally {
    await scene.close();
  }
}

describe("the train on real repositories", () => {
  it(`keeps its invariants in ${RUNS} interleavings on the local GitHub, git and the embedded store`, async () => {
    const drawn = fc.sample(scenario, { numRuns: RUNS });
    const left = drawn.map((one, number) => ({ one, number }));
    const line = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await runOne(next.one, next.number);
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, line));
    process.stdout.write(`${RUNS} interleavings on real repositories: ${JSON.stringify(seen)}\n`);
    for (const kind of ["acquired", "busy", "landed"] as const) {
      expect(seen[kind]).toBeGreaterThan(RUNS / 8);
    }
  }, 3_600_000);
});

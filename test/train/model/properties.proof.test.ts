import { describe, expect, it } from "vitest";
import { newTrain } from "../../../src/domain/train.ts";
import type { Train } from "../../../src/domain/train.ts";
import {
  afterGreen,
  afterRed,
  afterRejection,
  batchLimit,
} from "../../../src/train/decide/next-batch.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO } from "../../support/builders.ts";
import fc from "../../support/fast-check.ts";
import { times } from "../../support/proofs.ts";
import type { ChangePlan, Nature, Setting } from "./scenario.ts";
import { SimulatedTrain } from "./simulated-train.ts";

const RUNS = times({ test: 20, ci: 60, long: 600 });

const nature = fc.constantFrom<Nature>("good", "good", "good", "bad", "clash");
const natures = fc.array(nature, { minLength: 1, maxLength: 8 });

function setting(all: readonly Nature[], members: Partial<Setting> = {}): Setting {
  const changes = all.map((one, file): ChangePlan => {
    return { nature: one, file, dependsOn: undefined, priority: "normal" };
  });
  return {
    changes,
    method: "squash",
    landing: "fast-forward",
    batch: 8,
    window: 1,
    stacked: false,
    ...members,
  };
}

async function trainOf(given: Setting): Promise<SimulatedTrain> {
  const train = new SimulatedTrain(given, 60_000);
  await train.run();
  return train;
}

/** By issue number, in their order on the base. */
function landedIn({ scene }: SimulatedTrain): readonly number[] {
  const { objects, hub } = scene;
  const line = objects.history(hub.tip).toReversed();
  return scene.store
    .memory()
    .tasks.filter(({ state }) => state === "landed")
    .toSorted((a, b) => line.indexOf(a.landedSha!) - line.indexOf(b.landedSha!))
    .map(({ issue }) => issue);
}

/** One after the other, each kept if all is green with it: what the batch has to come to. */
function landedOneByOne(all: readonly Nature[]): readonly number[] {
  let clash = false;
  return all.flatMap((one, at) => {
    if (one === "bad" || (one === "clash" && clash)) return [];
    clash ||= one === "clash";
    return [at + 1];
  });
}

describe("bisection", () => {
  it("lands all but the smallest set that fails, and rejects exactly that one", async () => {
    await fc.assert(
      fc.asyncProperty(natures, async (all) => {
        const train = await trainOf(setting(all));
        expect(landedIn(train)).toEqual(landedOneByOne(all));
      }),
      { numRuns: RUNS },
    );
  });

  it("takes at most 2b − 1 verifications, and one more for each change that fails alone", async () => {
    await fc.assert(
      fc.asyncProperty(natures, async (all) => {
        const { scene, verified } = await trainOf(setting(all));
        const base = scene.objects.commitOf(scene.objects.history(scene.hub.tip).at(-1)!).tree;
        const ofBatches = verified.filter((tree) => tree !== base).length;
        const rejected = all.length - landedOneByOne(all).length;
        expect(ofBatches).toBeLessThanOrEqual(2 * all.length - 1 + rejected);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the train on a quiet day", () => {
  it("ejects no innocent and lands every change that is good, however it is set", async () => {
    const set = fc.record({
      batch: fc.integer({ min: 1, max: 8 }),
      window: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(natures, set, async (all, chosen) => {
        const train = await trainOf(setting(all, chosen));
        expect(landedIn(train).toSorted()).toEqual([...landedOneByOne(all)].toSorted());
      }),
      { numRuns: RUNS },
    );
  });

  it("comes to the same whatever wakes it, how often, and with which old reading", async () => {
    await fc.assert(
      fc.asyncProperty(natures, fc.infiniteStream(fc.nat({ max: 3 })), async (all, wakes) => {
        const plain = await trainOf(setting(all));
        const woken = new SimulatedTrain(setting(all), 60_000);
        const readings = [woken.scene.read()];
        woken.between = () => {
          readings.push(woken.scene.read());
          const [process] = woken.scene.processes;
          const old = readings.at(-1 - (wakes.next().value ?? 0)) ?? readings[0]!;
          woken.scene.tick(process!, old);
        };
        await woken.run();
        expect(landedIn(woken)).toEqual(landedIn(plain));
      }),
      { numRuns: 30 },
    );
  });

  it("lands what others depend on before them", async () => {
    const link = fc.option(fc.nat({ max: 6 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(link, { minLength: 2, maxLength: 7 }), async (links) => {
        const plain = setting(links.map(() => "good"));
        const priorities = ["low", "normal", "high"] as const;
        const changes = plain.changes.map((change, at): ChangePlan => ({
          ...change,
          dependsOn: links[at],
          priority: priorities[at % 3]!,
        }));
        const order = landedIn(await trainOf({ ...plain, changes }));
        expect(order).toHaveLength(links.length);
        for (const [at, needs] of links.entries()) {
          if (needs === undefined || needs >= at) continue;
          expect(order.indexOf(needs + 1)).toBeLessThan(order.indexOf(at + 1));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the size of a batch", () => {
  it("is as large as it may be from the start: twelve changes of one directory need two verifications", async () => {
    const { batch } = aConfig().train;
    const all = Array.from({ length: 12 }, (): Nature => "good");
    const train = await trainOf(setting(all, { batch }));
    expect(landedIn(train)).toHaveLength(12);
    const [base, ...candidates] = train.verified;
    expect(base).toBeDefined();
    expect(candidates).toHaveLength(2);
  });

  it("is the most until something fails, then is halved, and grows by one", () => {
    const step = fc.constantFrom("green", "red", "rejected");
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 1, max: 16 }), (steps, most) => {
        let train: Train = newTrain(REPO, "main", NOW);
        for (const [at, one] of steps.entries()) {
          const before = Math.min(train.size, most);
          const ways = {
            green: () => afterGreen(train, 1),
            red: () => afterRed(train, most),
            rejected: () => afterRejection(train, most),
          };
          train = { ...train, ...ways[one]() } as Train;
          expect(Math.min(train.size, most)).toBe(
            one === "green" ? Math.min(before + 1, most) : Math.max(1, Math.floor(before / 2)),
          );
          const limit = batchLimit(train, most);
          const allGreen = steps.slice(0, at + 1).every((before) => before === "green");
          if (allGreen) expect(limit).toBe(most);
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(Math.min(most, train.size));
        }
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { times } from "../../support/proofs.ts";
import type { ChangePlan, Nature, Setting } from "./scenario.ts";
import { STOPS, StoppedTrain } from "./stopped-train.ts";

/** Every change in a directory of its own unless they are to conflict. */
function changes(...natures: readonly Nature[]): readonly ChangePlan[] {
  return natures.map((nature, file) => ({
    nature,
    file,
    dependsOn: undefined,
    priority: "normal" as const,
  }));
}

const SETTING: Setting = {
  changes: changes("good"),
  method: "squash",
  landing: "fast-forward",
  batch: 1,
  window: 1,
  stacked: false,
};

const SETTINGS: Readonly<Record<string, Setting>> = {
  "one change, squashed": SETTING,
  "one change, merged, with another on top of it": { ...SETTING, method: "merge", stacked: true },
  "one change, by the merge API": { ...SETTING, landing: "merge-api" },
  "a batch of two": { ...SETTING, changes: changes("good", "good"), batch: 2 },
  "a batch with a bad one, bisected": { ...SETTING, changes: changes("bad", "good"), batch: 2 },
  "two that conflict, in a window": {
    ...SETTING,
    window: 2,
    changes: changes("good", "good").map((change) => ({ ...change, file: 0 })),
  },
};

/** A run that nothing stops says how many calls there are to stop at. */
async function runWhole(setting: Setting): Promise<StoppedTrain> {
  const whole = new StoppedTrain(setting, Infinity, "dies-before");
  await whole.run();
  return whole;
}

function landedFiles({ scene }: StoppedTrain): object {
  return scene.objects.files(scene.objects.commitOf(scene.hub.tip).tree);
}

/** So many numbers below `end`, evenly. */
function spread(count: number, end: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => Math.floor((at * end) / count));
}

/** Of each kind in each setting; without a limit at every call. */
const MOST_STOPS = times({ test: 12, ci: Infinity, long: Infinity });

describe("a train that is stopped at any call of every port", () => {
  it.each(Object.entries(SETTINGS))("comes to its end: %s", async (name, setting) => {
    const whole = await runWhole(setting);
    const { calls } = whole;
    expect(calls).toBeGreaterThan(20);
    const moments = spread(Math.min(calls, MOST_STOPS), calls);
    for (const stop of STOPS) {
      let stopped = 0;
      for (const at of moments) {
        const train = new StoppedTrain(setting, at, stop);
        await train.run().catch((error: unknown) => {
          throw new Error(`${stop} at call ${at} of ${calls}`, { cause: error });
        });
        expect(landedFiles(train), `${stop} at call ${at}`).toEqual(landedFiles(whole));
        if (train.scene.store.counts.acquired > 0 && train.calls > at) stopped += 1;
      }
      expect(stopped).toBe(moments.length);
    }
    process.stdout.write(
      `${name}: ${calls} calls, stopped ${moments.length * STOPS.length} times\n`,
    );
  });
});

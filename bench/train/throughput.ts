import type { ChangePlan, Setting } from "../../test/train/model/scenario.ts";
import { seededRandom } from "../../test/train/model/seeded-random.ts";
import { SimulatedTrain } from "../../test/train/model/simulated-train.ts";
import { tableText } from "../planner/report.ts";

interface Way {
  readonly name: string;
  readonly batch: number;
  readonly window: number;
  /** Landings for each verification time, at this share of changes that fail. */
  readonly expected: (failing: number) => number;
}

const WAYS: readonly Way[] = [
  { name: "strict", batch: 1, window: 1, expected: (p) => 1 - p },
  { name: "batch 4", batch: 4, window: 1, expected: (p) => pooled(4, 1 - p) },
  { name: "batch 8", batch: 8, window: 1, expected: (p) => pooled(8, 1 - p) },
  { name: "window 4", batch: 1, window: 4, expected: (p) => speculative(4, 1 - p) },
];

export interface Load {
  readonly changes: number;
  readonly verifySeconds: readonly number[];
  readonly failing: readonly number[];
}

/** The real train on a simulated clock, all changes waiting from the start, next to what the formulas promise. */
export async function printThroughput({ changes, verifySeconds, failing }: Load): Promise<void> {
  const head = [
    "verify",
    "failing",
    "way",
    "landings/h",
    "model",
    "ratio",
    "verifications/landing",
  ];
  const rows: string[][] = [];
  for (const seconds of verifySeconds) {
    for (const share of failing) {
      for (const way of WAYS) {
        const train = new SimulatedTrain(settingFor(way, changes, share), seconds * 1000);
        await train.run();
        const landed = train.scene.invariants.landed.length;
        const rate = landed / train.hours;
        const model = (way.expected(share) * 3600) / seconds;
        rows.push([
          ...[`${seconds} s`, `${share * 100} %`, way.name, rate.toFixed(1), model.toFixed(1)],
          ...[(rate / model).toFixed(2), (train.verified.length / landed).toFixed(2)],
        ]);
      }
    }
  }
  console.log(tableText([head, ...rows]));
}

/** Exactly this share fails, spread by a seed. */
function settingFor({ batch, window }: Way, count: number, share: number): Setting {
  const random = seededRandom(7);
  const order = Array.from({ length: count }, (_, at) => ({ at, key: random() }));
  const bad = new Set(
    order
      .toSorted((a, b) => a.key - b.key)
      .slice(0, Math.round(count * share))
      .map(({ at }) => at),
  );
  const changes = order.map(({ at }): ChangePlan => ({
    ...{ nature: bad.has(at) ? "bad" : "good", file: at, dependsOn: undefined, priority: "normal" },
  }));
  return { changes, method: "squash", landing: "fast-forward", batch, window, stacked: false };
}

/** A batch of n that is halved until what fails is alone. */
function pooled(size: number, q: number): number {
  return (size * q) / buildsFor(size, q);
}

function buildsFor(size: number, q: number): number {
  if (size === 1) return 1;
  const [low, high] = [Math.floor(size / 2), Math.ceil(size / 2)];
  return 1 + buildsFor(low, q) + buildsFor(high, q) - 2 * q ** size;
}

/** As many at once as the window, each on top of the one before. */
function speculative(window: number, q: number): number {
  return q === 1 ? window : (q * (1 - q ** window)) / (1 - q);
}

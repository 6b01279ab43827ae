import type { ChangePlan, Setting } from "../../test/train/model/scenario.ts";
import { seededRandom } from "../../test/train/model/seeded-random.ts";
import { SimulatedTrain } from "../../test/train/model/simulated-train.ts";
import { tellGoal } from "../goal.ts";
import { tableText } from "../planner/report.ts";

interface Way {
  readonly name: string;
  readonly batch: number;
  readonly window: number;
  /** Landings for each verification time, at this share of changes that fail. `again`: what fails alone is verified once more. */
  readonly expected: (failing: number, again: boolean) => number;
}

const WAYS: readonly Way[] = [
  { name: "strict", batch: 1, window: 1, expected: (p, again) => pooled(1, p, again) },
  { name: "batch 4", batch: 4, window: 1, expected: (p, again) => pooled(4, p, again) },
  { name: "batch 8", batch: 8, window: 1, expected: (p, again) => pooled(8, p, again) },
  { name: "window 4", batch: 1, window: 4, expected: (p, again) => speculative(4, p, again) },
];

/** The formulas know of no queue that begins and ends, and of no batch that grows back by one. */
const LEAST_OF_MODEL = 0.8;

export interface Load {
  readonly changes: number;
  readonly verifySeconds: readonly number[];
  readonly failing: readonly number[];
}

/** The real train on a simulated clock, all changes waiting from the start, next to what the formulas promise. */
export async function printThroughput({ changes, verifySeconds, failing }: Load): Promise<void> {
  const measured: Measured[] = [];
  for (const seconds of verifySeconds)
    for (const share of failing)
      for (const way of WAYS) measured.push(await measure(way, { changes, seconds, share }));
  const head = [
    "verify",
    "failing",
    "way",
    "landings/h",
    "model",
    "ratio",
    "with its retry",
    "ratio",
  ];
  console.log(tableText([[...head, "verifications/landing"], ...measured.map(rowOf)]));
  console.log();
  tellGoals(measured);
}

interface Place {
  readonly changes: number;
  readonly seconds: number;
  readonly share: number;
}

interface Measured extends Place {
  readonly way: Way;
  /** Landings an hour: as it was, by the formula, and by the formula with what the train verifies twice. */
  readonly rate: number;
  readonly model: number;
  readonly withRetry: number;
  readonly verifications: number;
}

async function measure(way: Way, place: Place): Promise<Measured> {
  const { changes, seconds, share } = place;
  const train = new SimulatedTrain(settingFor(way, changes, share), seconds * 1000);
  await train.run();
  const landed = train.scene.invariants.landed.length;
  const perHour = (again: boolean) => (way.expected(share, again) * 3600) / seconds;
  return {
    ...place,
    way,
    rate: landed / train.hours,
    model: perHour(false),
    withRetry: perHour(true),
    verifications: train.verified.length / landed,
  };
}

function rowOf({ way, seconds, share, rate, model, withRetry, verifications }: Measured): string[] {
  return [
    `${seconds} s`,
    `${share * 100} %`,
    way.name,
    rate.toFixed(1),
    model.toFixed(1),
    (rate / model).toFixed(2),
    withRetry.toFixed(1),
    (rate / withRetry).toFixed(2),
    verifications.toFixed(2),
  ];
}

function tellGoals(measured: readonly Measured[]): void {
  for (const { name } of WAYS) {
    const own = measured.filter(({ way }) => way.name === name);
    const least = Math.min(...own.map(({ rate, withRetry }) => rate / withRetry));
    const words = `${name}: ${LEAST_OF_MODEL} of the model with its retry or more, at worst ${least.toFixed(2)}`;
    tellGoal(words, least >= LEAST_OF_MODEL);
    if (name === "strict") continue;
    const gain = Math.min(...own.map((one) => one.rate / strictAt(one, measured)));
    tellGoal(`${name}: never slower than strict, at worst ${gain.toFixed(2)} of it`, gain >= 1);
  }
}

function strictAt({ seconds, share }: Place, measured: readonly Measured[]): number {
  const strict = measured.find(
    (one) => one.way.name === "strict" && one.seconds === seconds && one.share === share,
  );
  return strict?.rate ?? Infinity;
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
    nature: bad.has(at) ? "bad" : "good",
    file: at,
    dependsOn: undefined,
    priority: "normal",
  }));
  return { changes, method: "squash", landing: "fast-forward", batch, window, stacked: false };
}

/** A batch of n that is halved until what fails is alone. */
function pooled(size: number, p: number, again: boolean): number {
  return (size * (1 - p)) / (buildsFor(size, 1 - p) + (again ? size * p : 0));
}

function buildsFor(size: number, q: number): number {
  if (size === 1) return 1;
  const [low, high] = [Math.floor(size / 2), Math.ceil(size / 2)];
  return 1 + buildsFor(low, q) + buildsFor(high, q) - 2 * q ** size;
}

/** As many at once as the window, each on top of the one before; a round in which one fails is as long as two. */
function speculative(window: number, p: number, again: boolean): number {
  const allLand = (1 - p) ** window;
  const landed = p === 0 ? window : ((1 - p) * (1 - allLand)) / p;
  return landed / (again ? 2 - allLand : 1);
}

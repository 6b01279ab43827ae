import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../local-github/wire/seeded-random.ts";
import { AppProcess } from "../support/app-process.ts";
import { killAgents } from "../support/landed-once.ts";
import { lastLines, mangle } from "../support/mangle.ts";
import { SEED, times } from "../support/proofs.ts";
import { makeDeletableAgain } from "../support/undeletable.ts";
import { World } from "../support/world.ts";

const MANGLINGS = times({ test: 6, ci: 200, long: 2000 });
/** Of one data folder: then a new one begins, so that what is moved aside does not pile up. */
const IN_A_ROW = 13;
/** Its way takes longer than one life. */
const CARD_EVERY = 3;
const CARDS = Array.from({ length: Math.ceil(IN_A_ROW / CARD_EVERY) }, (_, n) => `card-${n}`);
const LONGEST_LIFE_MS = 2_500;
const PATIENCE_MS = 240_000;

const worlds = Array.from({ length: Math.ceil(MANGLINGS / IN_A_ROW) }, (_, n) => ({
  seed: SEED * 1000 + n,
  manglings: Math.min(IN_A_ROW, MANGLINGS - n * IN_A_ROW),
}));

describe.runIf(process.platform === "linux")(
  "3, F4: a data folder mangled while nobody looks",
  () => {
    it.concurrent.each(worlds)(
      "costs time, never work: $manglings times, seed $seed",
      { timeout: 600_000 },
      async ({ seed, manglings }) => {
        const ids = CARDS.slice(0, Math.ceil(manglings / CARD_EVERY));
        const twin = await filesOfTwin(ids);
        const world = await World.create({ startApp: false, strict: false, defaults: true });
        const app = new AppProcess(world);
        const story: string[] = [];
        try {
          await prepare(world, ids);
          const random = seededRandom(seed);
          for (let n = 0; n < manglings; n += 1) {
            const due = ids[Math.floor(n / CARD_EVERY)] ?? "";
            if (world.column(due) === "Backlog") world.moveToReady(due);
            await app.start();
            await delay(random() * LONGEST_LIFE_MS);
            await app.kill();
            const faults = await mangle(join(world.folder, "app"), random);
            story.push(`${n}: ${faults.join("; ")}`);
          }
          await app.start();
          await untilDone(world, ids);
          expect(await world.mainFiles()).toEqual(twin);
          await expectNothingTwice(world, ids);
        } catch (error) {
          const log = await lastLines(world.appLog, 40);
          const status = await world.status().then((said) => JSON.stringify(said, null, 1), String);
          const told = [`seed ${seed}`, ...story, log, status].join("\n");
          throw new Error(told, { cause: error });
        } finally {
          await app.kill();
          await killAgents(world);
          makeDeletableAgain(world.folder);
          await world.close();
        }
      },
    );
  },
);

async function prepare(world: World, ids: readonly string[]): Promise<void> {
  world.approveEverything();
  await world.addTasks(ids.map((id) => ({ id, files: [fileOf(id)] })));
}

function fileOf(id: string): string {
  return `src/${id}.txt`;
}

/** The files that all cards give together on a server that nothing happens to. */
let twin: Promise<Readonly<Record<string, string>>> | undefined;

/** What these cards give alone: none of them touches a file of another. */
async function filesOfTwin(ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
  twin ??= landUnmangled();
  const others = CARDS.filter((id) => !ids.includes(id)).map(fileOf);
  return Object.fromEntries(Object.entries(await twin).filter(([path]) => !others.includes(path)));
}

async function landUnmangled(): Promise<Readonly<Record<string, string>>> {
  const world = await World.create({ strict: false });
  try {
    await prepare(world, CARDS);
    world.moveToReady(...CARDS);
    await untilDone(world, CARDS);
    return await world.mainFiles();
  } finally {
    await world.close();
  }
}

/** Landing closes the issue. A card may stay where it was: where the store is lost in that moment, nobody knows that it is ours to move. */
async function untilDone(world: World, ids: readonly string[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const isOpen = (id: string): boolean => world.issue(id).state === "open";
  while (ids.some(isOpen) && Date.now() < deadline) await delay(50);
  const left = ids.filter(isOpen).map((id) => `${id} ${String(world.column(id))}`);
  expect(left).toEqual([]);
}

async function expectNothingTwice(world: World, ids: readonly string[]): Promise<void> {
  const subjects = (await world.git("log", "--format=%s", "main")).split("\n");
  for (const id of ids) {
    expect(subjects.filter((subject) => subject.startsWith(`Task ${id} (`))).toHaveLength(1);
    expect(world.issue(id).state).toBe("closed");
  }
  expect(world.pulls()).toHaveLength(ids.length);
}

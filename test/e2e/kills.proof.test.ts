import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../local-github/wire/seeded-random.ts";
import { replay } from "../../src/adapters/store/events/replay.ts";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { brokenLink } from "../../src/adapters/store/rows/event-row.ts";
import { readControlFile } from "../../src/control/control-file.ts";
import { instant, repoName } from "../../src/domain/ids.ts";
import { EVENTS } from "../../src/intake/events.ts";
import type { RecordedEvent, Store } from "../../src/ports/store.ts";
import { AppProcess } from "../support/app-process.ts";
import { killAtAnyMoment } from "../support/kill-at-any-moment.ts";
import { runningAgents } from "../support/landed-once.ts";
import { SEED, times } from "../support/proofs.ts";
import { World } from "../support/world.ts";

const REPO = repoName("acme/shop");
const KILLS = times({ test: 9, ci: 200, long: 3000 });
/** Of one world: then a new one begins. With more, cards that were done would wait for the next kill, or GitHub for the next hour. */
const IN_A_ROW = 50;
const TASKS = 4;
const LONGEST_LIFE_MS = 2_000;
const PATIENCE_MS = 150_000;

const ids = Array.from({ length: TASKS }, (_, n) => `task-${n}`);
/** Two tasks of each three share a file: they land one after the other. */
const fileOf = (n: number) => (n % 3 === 2 ? `src/own-${n}.txt` : `src/shared-${n - (n % 3)}.txt`);

const worlds = Array.from({ length: Math.ceil(KILLS / IN_A_ROW) }, (_, n) => ({
  seed: SEED + n,
  kills: Math.min(IN_A_ROW, KILLS - n * IN_A_ROW),
}));

describe.runIf(process.platform === "linux")("kill -9", () => {
  it.concurrent.each(worlds)(
    "$kills times at any moment of a busy board costs time, never work (SEED=$seed)",
    { timeout: 600_000 },
    async ({ seed, kills }) => {
      const world = await World.create({
        startApp: false,
        strict: false,
        operator: { reconcileEvery: "500ms", deliveriesEvery: "2s", onStop: "stop" },
      });
      const app = new AppProcess(world);
      try {
        await beBusy(world, app, { kills, random: seededRandom(seed) });
        await expectAllDone(world, app);
      } finally {
        await app.kill();
        await world.close();
      }
    },
  );
});

async function beBusy(
  world: World,
  app: AppProcess,
  { kills, random }: { readonly kills: number; readonly random: () => number },
): Promise<void> {
  world.approveEverything();
  for (const [n, id] of ids.entries()) {
    const script = { writes: { [`src/${id}.txt`]: `${id}\n` } };
    await world.addTask({ id, files: [fileOf(n), `src/${id}.txt`], script });
  }
  for (let n = 0; n < kills; n += 1) {
    const due = ids.slice(0, Math.ceil(((n + 1) * TASKS) / kills));
    world.moveToReady(...due.filter((id) => world.column(id) === "Backlog"));
    await killAtAnyMoment(world, app, { random, longestLifeMs: LONGEST_LIFE_MS });
  }
}

async function expectAllDone(world: World, app: AppProcess): Promise<void> {
  await app.start();
  const deadline = Date.now() + PATIENCE_MS;
  const done = () => ids.every((id) => world.column(id) === "Done");
  while (!done() && Date.now() < deadline) {
    askAgain(world);
    await delay(50);
  }
  if (!done()) throw new Error(`not all done\n${await story(world, app)}`);
  // A card is in Done before its branch is gone: a stop between the two leaves that to the next start.
  await world.until("every landing is tidied up", async () => (await openIntents(world)) === 0);
  await world.github.deliverySettled();
  expect(await app.stop()).toBe(0);

  await expectEachLandedOnce(world);
  expect(await runningAgents(world)).toEqual([]);
  expect(await world.workspaces()).toEqual([]);
  const path = join(world.folder, "app", "store");
  const store = await openStore({ path, now: () => instant(Date.now()) });
  try {
    await expectEverythingAcknowledged(world, store);
    await expectHistoryWhole(store);
  } finally {
    await store.close();
  }
}

/** On a slow machine ten lives in a row may be too short for a run to begin, which looks like a task that ends the server. People are told what to do. */
function askAgain(world: World): void {
  const isGivenUp = (id: string): boolean =>
    world.column(id) === "Blocked" &&
    /lost when the app stopped; gave up after 10 such runs/.test(world.comments(id).join("\n"));
  world.moveToReady(...ids.filter(isGivenUp));
}

/** As the running app tells it; undefined before it does. */
async function openIntents(world: World): Promise<number | undefined> {
  const control = await readControlFile(join(world.folder, "app"));
  if (control === undefined) return undefined;
  const headers = { authorization: `Bearer ${control.token}` };
  // The file may be that of a killed process.
  const answer = await fetch(`${control.url}/wavetrain/events`, { headers }).catch(() => undefined);
  if (answer?.ok !== true) return undefined;
  const lines = (await answer.text()).split("\n").filter(Boolean);
  return replay(lines.map((line) => JSON.parse(line) as RecordedEvent)).intents.length;
}

async function expectEachLandedOnce(world: World): Promise<void> {
  const subjects = (await world.git("log", "--format=%s", "main")).split("\n");
  const files = await world.mainFiles();
  for (const id of ids) {
    expect(subjects.filter((subject) => subject.startsWith(`Task ${id} (`))).toHaveLength(1);
    expect(files[`src/${id}.txt`]).toBe(`${id}\n`);
    expect(world.issue(id).state).toBe("closed");
    expect(world.comments(id)).toHaveLength(1);
  }
  expect(subjects).toHaveLength(ids.length + 1);
  expect(world.pulls()).toHaveLength(ids.length);
}

async function expectEverythingAcknowledged(world: World, store: Store): Promise<void> {
  const events: readonly string[] = EVENTS;
  const acknowledged = world.github.world.deliveries.filter(
    ({ event, outcome }) =>
      events.includes(event) && outcome.state === "answered" && outcome.statusCode < 300,
  );
  const guids = acknowledged.map(({ guid }) => guid);
  expect(guids.length).toBeGreaterThan(ids.length);
  const known = await store.knownSignals(guids);
  expect(guids.filter((guid) => !known.has(guid))).toEqual([]);
}

async function expectHistoryWhole(store: Store): Promise<void> {
  const events = await store.events(0, 1_000_000);
  expect(brokenLink(events)).toBeUndefined();
  const replayed = replay(events);
  const memory = await store.readRepo(REPO);
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
  expect(memory.tasks.map(({ state }) => state)).toEqual(ids.map(() => "landed"));
  expect(replayed.tasks.toSorted(byId)).toEqual(memory.tasks.toSorted(byId));
  expect(replayed.entries.toSorted(byId)).toEqual(memory.entries.toSorted(byId));
  expect(replayed.intents).toEqual(memory.intents);
  expect(memory.intents).toEqual([]);
  expect(replayed.runs.filter(({ state }) => state !== "finished")).toEqual([]);
}

/** What the cards, the log and the last events say, once the app is gone. */
async function story(world: World, app: AppProcess): Promise<string> {
  await app.kill();
  const path = join(world.folder, "app", "store");
  const store = await openStore({ path, now: () => instant(Date.now()) });
  const events = await store.events(0, 1_000_000);
  await store.close();
  const last = events.slice(-40).map(({ at, subject, change }) => {
    const what = "to" in change && "reason" in change ? `to ${change.to}: ${change.reason}` : "";
    return `${new Date(at).toISOString()} ${subject} ${change.kind} ${what}`;
  });
  const log = await readFile(world.appLog, "utf8");
  const lines = log
    .split("\n")
    .slice(-30)
    .map((line) => line.slice(0, 400));
  const cards = ids.map((id) => `${id} ${String(world.column(id))}: ${world.comments(id).join()}`);
  return [...cards, ...last, new Date().toISOString(), ...lines].join("\n");
}

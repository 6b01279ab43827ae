import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { afterEach, describe, expect } from "vitest";
import { seededRandom } from "../../local-github/wire/seeded-random.ts";
import { usePostgres } from "../adapters/store/use-postgres.ts";
import { AppProcess } from "../support/app-process.ts";
import { Line } from "../support/cut-off.ts";
import { further } from "../support/further.ts";
import { expectEachLandedOnce, runningAgents } from "../support/landed-once.ts";
import { SEED, times } from "../support/proofs.ts";
import { waitingTasks } from "../support/waiting-tasks.ts";
import { World } from "../support/world.ts";

const postgres = usePostgres();
const SERVERS = ["alpha", "beta", "gamma"];
const TASKS = ["one", "two", "three", "four", "five", "six"];
const SEVEN_MINUTES_MS = 7 * 60_000;
const SKEW = pathToFileURL(
  fileURLToPath(new URL("../support/skewed-clock.mjs", import.meta.url)),
).href;

let world: World;
let line: Line;
let database: string;
let apps: readonly AppProcess[];
let random: () => number;

afterEach(async () => {
  for (const app of apps) await app.kill();
  line.close();
  await world.close();
});

/** Gamma reaches the database by a line that can be cut. */
async function start(skewMs: number): Promise<void> {
  database = await postgres().createDatabase();
  const address = new URL(database);
  line = await Line.to(Number(address.port));
  address.port = String(line.port);
  world = await World.create({
    startApp: false,
    strict: false,
    operator: { store: { url: database }, reconcileEvery: "500ms", slots: 2 },
    repository: { verify: "sleep 0.3; test -f README.md" },
  });
  apps = SERVERS.map((name) => {
    const isSkewed = skewMs !== 0 && name === "beta";
    const skewed = { NODE_OPTIONS: `--import=${SKEW}`, SKEW_MS: String(skewMs) };
    return new AppProcess(world, isSkewed ? skewed : {}, {
      dataDir: join(world.folder, name),
      server: { name },
      ...(name === "gamma" && { store: { url: address.href } }),
    });
  });
  for (const app of apps) await app.start();
}

function anyOf(count: number): number {
  return Math.floor(random() * count);
}

async function killOne(): Promise<void> {
  const victim = apps[anyOf(apps.length)];
  await victim?.kill();
  await pause(random() * 1_000);
  await victim?.start();
}

async function untilAllWork(): Promise<void> {
  for (const id of TASKS)
    await world.until("it is at work", async () => (await world.attemptsOf(id)).length > 0);
}

async function untilSome(what: string, holds: (id: string) => boolean): Promise<void> {
  await world.until(what, () => TASKS.some(holds));
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(statement);
  await client.end();
}

interface Fault {
  readonly skewMs?: number;
  /** While all agents are at work. */
  readonly inRuns?: () => Promise<void>;
  /** After they were told to go on. */
  readonly afterRuns?: () => Promise<void>;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "killed in runs": { inRuns: killOne },
  "killed while verifying": {
    afterRuns: async () => {
      await untilSome("one is queued", (id) => world.column(id) === "Queued");
      await pause(random() * 300);
      await killOne();
    },
  },
  "killed while landing": {
    afterRuns: async () => {
      await untilSome("one has landed", (id) => world.column(id) === "Done");
      for (let kills = 0; kills < 3; kills += 1) {
        await pause(random() * 1_000);
        await killOne();
      }
    },
  },
  frozen: {
    inRuns: async () => {
      const frozen = apps[anyOf(apps.length)];
      frozen?.signal("SIGSTOP");
      await world.signalAgents("go");
      await pause(AWAY_MS);
      frozen?.signal("SIGCONT");
    },
  },
  "cut off from the database": {
    inRuns: async () => {
      line.cut();
      await world.signalAgents("go");
      await pause(AWAY_MS);
      line.mend();
    },
  },
  "its database restarted": {
    inRuns: async () => {
      await postgres().crash();
      await world.signalAgents("go");
      await pause(random() * 5_000);
      await postgres().start();
    },
  },
  "its clock seven minutes late": { skewMs: -SEVEN_MINUTES_MS },
  "its clock seven minutes early": { skewMs: SEVEN_MINUTES_MS },
  "its database full": {
    inRuns: async () => {
      await execute(FILL);
      await world.signalAgents("go");
      await pause(AWAY_MS);
      await execute("drop trigger full_disk on events");
    },
  },
};

/** What PostgreSQL itself says when there is no room. */
const FILL = `
create or replace function full_disk() returns trigger language plpgsql as $$
begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
create trigger full_disk before insert on events for each statement execute function full_disk()`;

const NAMES = Object.keys(FAULTS);
const ROUNDS = times({ test: 1, ci: NAMES.length, long: 10 * NAMES.length });
/** Where there is time, longer than a train's lock lives: another server goes on meanwhile. */
const AWAY_MS = ROUNDS > NAMES.length ? 150_000 : 8_000;

describe("three servers on one PostgreSQL, one of them in trouble", () => {
  further.each(
    Array.from({ length: ROUNDS }, (_, round) => [NAMES[round % NAMES.length] ?? "", round]),
  )(
    "%s: nothing is lost and nothing done twice (round %i)",
    { timeout: 1_200_000 },
    async (name, round) => {
      const fault = FAULTS[name];
      random = seededRandom(SEED + round);
      await start(fault?.skewMs ?? 0);
      world.approveEverything();
      await world.addTasks(waitingTasks(TASKS));
      world.moveToReady(...TASKS);
      await untilAllWork();
      await fault?.inRuns?.();
      await world.signalAgents("go");
      await fault?.afterRuns?.();
      await world.untilColumn("Done", ...TASKS);
      await world.github.deliverySettled();
      for (const app of apps) expect(await app.stop()).toBe(0);
      await expectEachLandedOnce(world, TASKS);
      const files = await world.mainFiles();
      for (const id of TASKS) expect(files[`src/${id}.txt`]).toBe(`${id}\n`);
      expect(await runningAgents(world)).toEqual([]);
    },
  );
});

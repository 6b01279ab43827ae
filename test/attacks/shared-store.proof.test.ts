import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import type { RunningApp } from "../../src/app/run-app.ts";
import type { RepoName } from "../../src/domain/ids.ts";
import { usePostgres } from "../adapters/store/use-postgres.ts";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

const postgres = usePostgres();
const TASKS = ["one", "two", "three"];
const SEVEN_MINUTES_MS = 7 * 60_000;
const SKEW = pathToFileURL(
  fileURLToPath(new URL("../support/skewed-clock.mjs", import.meta.url)),
).href;

let world: World;
let app: AppProcess;
let second: RunningApp | undefined;
afterEach(async () => {
  await second?.stop("stop");
  second = undefined;
  await app.kill();
  await world.close();
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const url = await postgres().createDatabase();
  world = await World.create({
    startApp: false,
    operator: { store: { url }, reconcileEvery: "500ms" },
  });
  app = new AppProcess(world, environment);
  return url;
}

async function beginWithoutDatabase(): Promise<void> {
  await start();
  await postgres().crash();
  await app.begin();
  await world.until("it says so", async () =>
    (await readFile(world.appLog, "utf8")).includes("no server answers there"),
  );
}

async function landAll(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  world.approveEverything();
  const work = (id: string) => ({ waitFor: ["go"], writes: { [`src/${id}.txt`]: "done\n" } });
  await world.addTasks(TASKS.map((id) => ({ id, files: [`src/${id}.txt`], script: work(id) })));
  world.moveToReady(...TASKS);
  for (const id of TASKS)
    await world.until("it is at work", async () => (await world.attemptsOf(id)).length > 0);
  await meanwhile();
  await world.signalAgents("go");
  await world.untilColumn("Done", ...TASKS);
  for (const id of TASKS) expect(await world.attemptsOf(id)).toEqual([1]);
}

describe("a store that many share", () => {
  it("F1: nothing that is said on its channel ends a server", async () => {
    const url = await start();
    await app.start();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const said of ["hello", "a/b/c", "..", "{}", "x".repeat(7_000)])
      await client.query("select pg_notify('wavetrain', $1)", [said]);
    await client.end();
    await landAll();
    expect(await app.answers()).toBe(true);
  });

  further.each([-SEVEN_MINUTES_MS, SEVEN_MINUTES_MS])(
    "F2: a server whose clock is wrong by %i ms and one whose clock is right do every task once",
    async (skew) => {
      await start({ NODE_OPTIONS: `--import=${SKEW}`, SKEW_MS: String(skew) });
      await app.start();
      const dataDir = join(world.folder, "second");
      second = await world.startServer({ dataDir, server: { port: 0, name: "beta" } });
      // Both look at all runs a few times while they are at work.
      await landAll(() => pause(3_000));
    },
  );

  it("F2: the store tells its own time, whatever the machine's clock says", async () => {
    const url = await start();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - SEVEN_MINUTES_MS });
    const store = await openStore({ kind: "postgres", url });
    const told = store.now();
    vi.useRealTimers();
    expect(Math.abs(told - Date.now())).toBeLessThan(60_000);
    await store.close();
  });

  further("F5: a database that is away when an agent ends costs time, not its work", async () => {
    await start();
    await app.start();
    world.approveEverything();
    await world.addTask({
      id: "one",
      files: ["src/one.txt"],
      script: { waitFor: ["go"], writes: { "src/one.txt": "1\n" } },
    });
    world.moveToReady("one");
    await world.until("it is at work", async () => (await world.attemptsOf("one")).length === 1);
    await postgres().crash();
    await world.signalAgents("go");
    await world.until("the run waits for the store", async () =>
      (await readFile(world.appLog, "utf8")).includes("waits for the store"),
    );
    await postgres().start();
    await world.untilColumn("Done", "one");
    expect(await world.attemptsOf("one")).toEqual([1]);
  });

  further("F6: a database that is away at the start is waited for, with a line", async () => {
    await beginWithoutDatabase();
    await postgres().start();
    await world.until("the app answers", () => app.answers());
    await landAll();
  });

  it("F6: a server that waits for its database stops when it is told to", async () => {
    await beginWithoutDatabase();
    expect(await app.stop()).toBe(0);
    await postgres().start();
  });

  it("F6: listens again and again without piling up listeners", async () => {
    const url = await start();
    const warnings: string[] = [];
    const warn = ({ name }: Error): number => warnings.push(name);
    process.on("warning", warn);
    const store = await openStore({ kind: "postgres", url });
    const heard: (RepoName | undefined)[] = [];
    const deafen = store.wakeUps.onWake((repo) => heard.push(repo));
    await world.until("it listens", () => heard.length > 0);
    await postgres().query(
      "select pg_notify('wavetrain', 'hello')",
      new URL(url).pathname.slice(1),
    );
    await world.until("F1: what is no repository concerns everybody", () => heard.length > 1);
    for (let times = 3; times <= 14; times += 1) {
      await postgres().query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'",
      );
      await world.until("it listens again", () => heard.length >= times);
    }
    deafen();
    await store.close();
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });
});

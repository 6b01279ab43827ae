import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { killAgents } from "../support/landed-once.ts";
import { type WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const FILES = { ".gitignore": "deps/\n", "package-lock.json": "1\n", "README.md": "# shop\n" };
/** Where tests and commands without a sandbox meet. */
const MEET = `A=\${HOME%/app/homes/*}/agent`;
const INSTALL = `${MEET}; echo installs; env > deps.env; mkdir -p deps; mv deps.env deps/env; echo once >> "$A/installed"`;

let world: World;
let app: AppProcess | undefined;
afterEach(async () => {
  await app?.kill();
  app = undefined;
  await killAgents(world);
  await world.close();
});

async function createWorld(setup: string, options: WorldOptions = {}): Promise<void> {
  const repository = { setup, limits: { parallel: 8, attempts: 2 } };
  const operator = { reconcileEvery: "500ms" };
  world = await World.create({ files: FILES, operator, repository, ...options });
}

async function installations(): Promise<number> {
  const text = await world.agentFile("installed").catch(() => "");
  return text.split("\n").length - 1;
}

async function kept(): Promise<readonly string[]> {
  const root = join(world.folder, "app", "setups");
  const found = await readdir(root, { recursive: true }).catch(() => []);
  return found.filter((path) => path.endsWith("deps/env")).map((path) => join(root, path));
}

async function startTasks(...ids: readonly string[]): Promise<void> {
  for (const id of ids) await world.addTask({ id, files: [`src/${id}.txt`] });
  world.moveToReady(...ids);
}

describe("setup", () => {
  it("runs once for tasks that begin together, knows nothing of them, and is told in a run's log", async () => {
    await createWorld(INSTALL);
    await startTasks("one", "two", "three");
    await world.untilColumn("In review", "one", "two", "three");
    expect(await installations()).toBe(1);
    const [copy = ""] = await kept();
    const environment = await readFile(copy, "utf8");
    expect(environment).toContain("WAVETRAIN_PORT_BASE=");
    expect(environment).not.toMatch(/WAVETRAIN_TASK|WAVETRAIN_ATTEMPT/);
    const logs = join(world.folder, "app", "logs");
    const texts = await Promise.all(
      (await readdir(logs)).map((name) => readFile(join(logs, name), "utf8")),
    );
    expect(texts.filter((text) => text.startsWith("installs\n"))).toHaveLength(1);
  });

  it("that fails is told with its end, and what the next attempt makes is for others again", async () => {
    await createWorld(`${INSTALL}; test -e "$A/works" || { echo no registry; exit 7; }`);
    await startTasks("one");
    await world.untilColumn("Blocked", "one");
    await world.settle();
    expect(world.comments("one").join("\n")).toContain("no registry");
    expect([await installations(), await kept()]).toEqual([2, []]);

    await world.signalAgents("works");
    await world.nextSecond();
    world.moveToReady("one");
    await world.untilColumn("In review", "one");
    await startTasks("two");
    await world.untilColumn("In review", "two");
    expect(await installations()).toBe(3);
    expect(await kept()).toHaveLength(1);
  });

  further(
    "goes on when the app is killed in the midst of it; others wait for none of it and get none of it",
    async () => {
      const wait = `until test -e "$A/go"; do sleep 0.05; done`;
      await createWorld(`${INSTALL}; ${wait}; echo whole > deps/whole`, { startApp: false });
      app = new AppProcess(world);
      await app.start();
      await startTasks("one");
      await world.until("setup is at work", async () => (await installations()) === 1);
      await app.kill();
      await app.start();
      await world.signalAgents("go");
      await world.untilColumn("In review", "one");
      expect(await world.attemptsOf("one")).toEqual([1]);
      expect([await installations(), await kept()]).toEqual([1, []]);

      await startTasks("two");
      await world.untilColumn("In review", "two");
      expect(await installations()).toBe(2);
      expect(await kept()).toHaveLength(1);
    },
  );
});

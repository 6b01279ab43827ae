import { mkdir, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { further, some } from "../support/further.ts";
import { expectEachLandedOnce, killAgents } from "../support/landed-once.ts";
import {
  CAN_MAKE_UNDELETABLE,
  makeBusy,
  makeDeletableAgain,
  makeUndeletable,
} from "../support/undeletable.ts";
import { waitingTasks } from "../support/waiting-tasks.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess;
let undo: (() => void)[] = [];
afterEach(async () => {
  await app.kill();
  await killAgents(world);
  for (const back of undo) back();
  undo = [];
  makeDeletableAgain(world.folder);
  await world.close();
});

async function createWorld(reconcileEvery = "500ms"): Promise<void> {
  const operator = { reconcileEvery, onStop: "stop" };
  world = await World.create({ startApp: false, strict: false, operator });
  app = new AppProcess(world);
}

async function createWorldThatApproves(): Promise<void> {
  await createWorld();
  world.approveEverything();
}

const inData = (path: string): string => join(world.folder, "app", path);

async function killedAtWork(...ids: readonly string[]): Promise<void> {
  await app.start();
  await world.addTasks(waitingTasks(ids));
  world.moveToReady(...ids);
  await world.until("all are at work", async () => (await world.journal()).length === ids.length);
  // The comments are on GitHub: nobody may make them again.
  await world.until("all are told of", () => ids.every((id) => world.comments(id).length === 1));
  await app.kill();
}

/** Agents that outlived the server go on as it comes back. */
async function startAgain(): Promise<void> {
  await world.signalAgents("go");
  await app.start();
}

async function expectAllLand(...ids: readonly string[]): Promise<void> {
  await world.untilColumn("Done", ...ids);
  await expectEachLandedOnce(world, ids);
  const files = await world.mainFiles();
  for (const id of ids) expect(files[`src/${id}.txt`]).toBe(`${id}\n`);
}

async function replaceBy(kind: "file" | "folder", path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  if (kind === "folder") await mkdir(path);
  else await writeFile(path, "not what you think\n");
}

function slotOf(id: string): string {
  return inData(`workspaces/acme/shop/${world.issue(id).number}`);
}

async function doctor(): Promise<string> {
  const config = join(world.folder, "wavetrain.config.yml");
  const said = await execa("node", [await bundledApp(), "doctor", "--config", config], {
    env: { ...world.environment },
    extendEnv: false,
    reject: false,
  });
  return said.stdout;
}

const LOST: readonly [string, readonly string[]][] = [
  ["the database", ["wavetrain.db", "wavetrain.db-wal", "wavetrain.db-shm"]],
  ["what was not yet written into it", ["wavetrain.db-wal", "wavetrain.db-shm"]],
];
const SPOILT: readonly [string, (file: string) => Promise<void>][] = [
  [
    "not a database",
    async (file) => {
      // As long as it is there, its pages count.
      await rm(`${file}-wal`);
      await writeFile(file, "not a database\n".repeat(1000));
    },
  ],
  ["a folder", (file) => replaceBy("folder", file)],
];

describe.runIf(process.platform === "linux")("F4: a server that was killed at work", () => {
  it("3: starts with everything spoilt at once, says what it moved, and all land", async () => {
    await createWorldThatApproves();
    await killedAtWork("base", "empty", "index", "tree", "stage", "fine");
    for (const name of await readdir(slotOf("base")))
      if (name !== "base") await rm(join(slotOf("base"), name), { recursive: true });
    await replaceBy("folder", slotOf("empty"));
    await truncate(join(slotOf("index"), "index"));
    await replaceBy("file", join(slotOf("tree"), "tree"));
    await rm(join(slotOf("stage"), "stage"));
    for (const path of [
      "workspaces/x",
      "workspaces/acme/x",
      "workspaces/acme/shop/x",
      "spares/x",
    ]) {
      await mkdir(join(inData(path), ".."), { recursive: true });
      await writeFile(inData(path), "");
    }
    const odd = ["workspaces/%zz", "homes/%zz", "runs/%zz", "mirrors/acme/%zz.git"];
    for (const path of odd) await mkdir(inData(path));
    await mkdir(inData("workspaces/lost+found"));
    await writeFile(inData("homes/file"), "");
    await replaceBy("folder", inData("control.json"));
    await replaceBy("folder", inData("store/owner.lock-journal"));
    await replaceBy("file", inData("home"));
    await rm(inData("mirrors/acme/shop.git/HEAD"));

    await startAgain();
    await expectAllLand("base", "empty", "index", "tree", "stage", "fine");
    const { notices } = await world.status();
    for (const path of [
      ...odd,
      "workspaces/x",
      "homes/file",
      "control.json",
      "home",
      "spares/x",
      "store/owner.lock-journal",
    ])
      expect(notices.filter((line) => line.startsWith(`${path} `))).toHaveLength(1);
    expect(await doctor()).toContain("workspaces/%zz in the data folder was moved to aside/");
    const log = await readFile(world.appLog, "utf8");
    expect(log.match(/"path":"workspaces\/%zz"/g)).toHaveLength(1);
  });

  it.runIf(CAN_MAKE_UNDELETABLE)("goes round what can be neither deleted nor moved", async () => {
    await createWorldThatApproves();
    await killedAtWork("one", "own");
    await killAgents(world, "own");
    makeUndeletable(slotOf("own"));
    const home = inData(`homes/${encodeURIComponent(`acme/shop#${world.issue("one").number}`)}`);
    await mkdir(join(home, "deep"));
    await writeFile(join(home, "deep/stays"), "");
    makeUndeletable(join(home, "deep/stays"));
    await mkdir(inData("workspaces/acme/shop/busy"));
    undo.push(makeBusy(inData("workspaces/acme/shop/busy")));
    await mkdir(inData("runs/verify%2Fbusy"));
    undo.push(makeBusy(inData("runs/verify%2Fbusy")));

    await app.start();
    // Its second run works beside the folder, and is taken up there.
    await world.until("it is at work again", async () => (await world.journal()).length === 3);
    await app.kill();
    await startAgain();
    await expectAllLand("one", "own");
    expect(await world.attemptsOf("own")).toEqual([1, 2]);
    await app.kill();
    await startAgain();
    await world.until("no home is left", async () => (await readdir(inData("homes"))).length === 0);
    await world.until("it can be found", () => world.status().then(Boolean, () => false));
    const { notices } = await world.status();
    for (const folder of ["busy", world.issue("own").number])
      expect(notices.join("\n")).toContain(
        `workspaces/acme/shop/${folder} in the data folder is in the way`,
      );
    expect(notices.join("\n")).toMatch(
      /^homes\/\S+ in the data folder was moved to aside\/.*: it cannot be deleted/m,
    );
  });

  it.each(some(LOST))(
    "that lost %s says so, and takes up what was at work",
    async (_what, files) => {
      await createWorldThatApproves();
      await killedAtWork("one", "two");
      for (const file of files) await rm(inData(`store/${file}`), { force: true });
      await startAgain();
      await expectAllLand("one", "two");
      expect((await world.status()).notices.join("\n")).toContain(
        "the store, or the newest part of it, was lost",
      );
    },
  );

  further.each(SPOILT)(
    "whose database is %s keeps it aside, and takes up what was at work",
    async (_what, make) => {
      await createWorldThatApproves();
      await killedAtWork("one");
      await make(inData("store/wavetrain.db"));
      await startAgain();
      await expectAllLand("one");
      const { notices } = await world.status();
      expect(notices.join("\n")).toContain(
        "store/wavetrain.db in the data folder was moved to aside/",
      );
      expect(notices.join("\n")).toContain("was lost");
    },
  );

  further("lands what was approved before it was lost, without any further news", async () => {
    await createWorld("1h");
    await app.start();
    await world.addTasks(["one", "another"].map((id) => ({ id, files: [`src/${id}.txt`] })));
    world.moveToReady("one");
    await world.untilColumn("In review", "one");
    world.github.as("ann").comment(world.issue("another"), "/pause");
    await world.until("it pauses", () => /paused/.test(world.comments("another").join("\n")));
    world.github.as("bob").approve(world.pull("one"));
    await world.github.deliverySettled();
    await app.kill();
    await rm(inData("store"), { recursive: true });
    await app.start();
    await expectAllLand("one");
  });

  further("takes up what it had moved on the board, but not yet said a word about", async () => {
    await createWorldThatApproves();
    await killedAtWork("one");
    world.issue("one").comments.length = 0;
    await rm(inData("store"), { recursive: true });
    await startAgain();
    await expectAllLand("one");
  });

  it("leaves alone what people work on themselves", async () => {
    await createWorldThatApproves();
    await world.addTask({ id: "theirs", files: ["src/theirs.txt"], column: "In progress" });
    await killedAtWork("one");
    await rm(inData("store"), { recursive: true });
    await startAgain();
    await expectAllLand("one");
    expect(world.column("theirs")).toBe("In progress");
    expect(world.comments("theirs")).toEqual([]);
  });
});

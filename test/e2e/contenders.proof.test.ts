import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { OPENING } from "../../src/domain/exploration.ts";
import { repoName } from "../../src/domain/ids.ts";
import type { Script } from "../support/agent-script.ts";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { runGitText } from "../support/git-text.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess | undefined;
afterEach(async () => {
  await app?.kill();
  app = undefined;
  await world.close();
});

const FILE = "src/best.txt";
const SCORING = {
  scores: { length: { run: `wc -c < ${FILE}` } },
  explore: { score: "length" },
};

/** Contender 2 fails; of the others the longer text scores higher. */
const CONTENDERS: Script = {
  contenders: {
    1: { writes: { [FILE]: "short\n" } },
    2: { failures: 9, writes: { [FILE]: "half\n" } },
    3: { writes: { [FILE]: "a longer text\n" }, waitFor: ["slow.go"] },
  },
};

const mirror = (): string => join(world.folder, "app", "mirrors", "acme", "shop.git");
const refs = async (): Promise<readonly string[]> => {
  const args = ["for-each-ref", "--format=%(refname)", "refs/wavetrain/explore/"];
  return (await runGitText(mirror(), args)).split("\n").filter(Boolean);
};
/** Without the run that opened the contest. */
const contenders = async () => {
  const { runs } = await world.app.store.readRepo(repoName("acme/shop"));
  return runs.filter(({ contender }) => contender !== OPENING);
};
const ended = async (): Promise<number> =>
  (await world.journal()).filter(({ what }) => what === "ended").length;

describe("a task with several contenders", () => {
  it("runs them side by side from the same commit, waits for the slowest, and takes the best score", async () => {
    world = await World.create({ repository: SCORING });
    await world.addTask({
      id: "best",
      files: ["src/"],
      labels: ["candidates:3"],
      script: CONTENDERS,
    });
    world.moveToReady("best");
    await world.until("two of three have ended", async () => (await ended()) === 2);
    await world.until("three have started", async () => {
      return (await world.journal()).filter(({ what }) => what === "started").length === 3;
    });
    expect(world.pulls()).toEqual([]);
    expect(await world.taskState("best")).toBe("running");

    await world.signalAgents("slow.go");
    await world.untilColumn("In review", "best");
    const pull = world.pull("best");
    expect(world.pulls()).toHaveLength(1);
    expect(await world.git("show", `${pull.headRef}:${FILE}`)).toBe("a longer text");
    expect(pull.body).toContain(
      "- Contender 1, kept as `refs/wavetrain/explore/1/1/1.1`: changed 1 file, score 6",
    );
    expect(pull.body).toContain(
      "- Contender 2, kept as `refs/wavetrain/explore/1/1/1.2`: the runner ended with exit code 3",
    );
    expect(pull.body).toContain("- Contender 3, this one: changed 1 file, score 14");
    expect(await refs()).toEqual([1, 2, 3].map((n) => `refs/wavetrain/explore/1/1/1.${n}`));
    const kept = await runGitText(mirror(), ["show", `refs/wavetrain/explore/1/1/1.1:${FILE}`]);
    expect(kept).toBe("short\n");
    const runs = await contenders();
    expect(new Set(runs.map(({ baseSha }) => baseSha)).size).toBe(1);

    world.github.as("bob").approve(pull);
    await world.untilColumn("Done", "best");
    expect((await world.mainFiles())[FILE]).toBe("a longer text\n");
  });

  further("with fewer slots runs the rest as slots come free", async () => {
    world = await World.create({ operator: { slots: 1 } });
    await world.addTask({ id: "one", files: ["src/one.txt"], labels: ["candidates:2"] });
    world.moveToReady("one");
    await world.untilColumn("In review", "one");
    const lines = (await world.journal()).map(({ contender, what }) => `${contender} ${what}`);
    expect(lines).toEqual(["1 started", "1 ended", "2 started", "2 ended"]);
  });

  it("counts as one failed attempt when all of them fail", async () => {
    world = await World.create({ repository: { limits: { attempts: 2 } } });
    const script = { failures: 9 };
    await world.addTask({ id: "hard", files: ["src/hard.txt"], labels: ["candidates:2"], script });
    world.moveToReady("hard");
    await world.untilColumn("Blocked", "hard");
    await world.settle();
    expect(world.comments("hard")[0]).toContain("gave up after 2 attempts");
    expect([...(await world.attemptsOf("hard"))].sort()).toEqual([1, 1, 2, 2]);
  });

  it("says so when the label asks for no number that it can have", async () => {
    world = await World.create();
    await world.addTask({ id: "many", files: ["src/many.txt"], labels: ["candidates:9"] });
    world.moveToReady("many");
    await world.untilColumn("Blocked", "many");
    await world.settle();
    expect(world.comments("many")[0]).toContain("contenders from 1 to 5");
    expect(await world.journal()).toEqual([]);
  });

  it("ends all of them by /cancel", async () => {
    world = await World.create();
    const script = { waitFor: ["never"] };
    await world.addTask({ id: "long", files: ["src/long.txt"], labels: ["candidates:2"], script });
    world.moveToReady("long");
    await world.until("both started", async () => (await world.journal()).length === 2);
    world.github.as("ann").comment(world.issue("long"), "/cancel");
    await world.until(
      "it is cancelled",
      async () => (await world.taskState("long")) === "cancelled",
    );
    await world.settle();
    const runs = await contenders();
    expect(runs.map(({ outcome }) => outcome?.kind)).toEqual(["cancelled", "cancelled"]);
    expect(world.comments("long")[0]).toContain("its 2 runs are being stopped");
  });

  further("ends all of them when its card is moved away", async () => {
    world = await World.create();
    const script = { waitFor: ["never"] };
    await world.addTask({ id: "long", files: ["src/long.txt"], labels: ["candidates:2"], script });
    world.moveToReady("long");
    await world.until("both started", async () => (await world.journal()).length === 2);
    await world.untilColumn("In progress", "long");
    world.moveCard("long", "Backlog");
    await world.until(
      "it is cancelled",
      async () => (await world.taskState("long")) === "cancelled",
    );
    await world.settle();
    expect(world.pulls()).toEqual([]);
    expect(await world.workspaces()).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")(
  "an app killed between the contenders' end and the promotion",
  () => {
    it("takes the best one at its next start, and runs none again", async () => {
      world = await World.create({ startApp: false, operator: { reconcileEvery: "500ms" } });
      app = new AppProcess(world);
      await app.start();
      // Nothing can be published: all contenders end, none is promoted.
      let isDown = true;
      world.github.faults.answer({
        matches: ({ method, path }) => isDown && method === "POST" && path.endsWith("/pulls"),
        status: 502,
        message: "Bad Gateway",
        times: Infinity,
      });
      await world.addTask({ id: "two", files: ["src/two.txt"], labels: ["candidates:2"] });
      world.moveToReady("two");
      await world.until("both ended", async () => (await ended()) === 2);
      await world.until(
        "both are kept",
        async () => existsSync(mirror()) && (await refs()).length === 2,
      );
      await app.kill();
      isDown = false;
      await app.start();
      await world.untilColumn("In review", "two");
      expect(world.pulls()).toHaveLength(1);
      expect(await world.attemptsOf("two")).toEqual([1, 1]);
    });
  },
);

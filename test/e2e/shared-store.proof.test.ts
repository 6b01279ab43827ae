import { join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import type { RunningApp } from "../../src/app/run-app.ts";
import { repoName } from "../../src/domain/ids.ts";
import { renderStatus } from "../../src/cli/remote/status-command.ts";
import { usePostgres } from "../adapters/store/use-postgres.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

const postgres = usePostgres();
const TASKS = ["one", "two", "three"];

let world: World;
let second: RunningApp;
afterEach(async () => {
  await second.stop("stop");
  await world.close();
});

/** GitHub knows the first; the second is called `beta` and has a disk of its own. */
async function startBoth(first: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const store = { url: await postgres().createDatabase() };
  const server = { port: 0, name: "alpha" };
  world = await World.create({ operator: { store, server, ...first } });
  const dataDir = join(world.folder, "second");
  second = await world.startServer({ dataDir, server: { port: 0, name: "beta" }, slots: 8 });
}

describe("two servers on one PostgreSQL", () => {
  it("do every task once, land it once and write one comment about it", async () => {
    await startBoth();
    world.approveEverything();
    await world.addTasks(TASKS.map((id) => ({ id, files: [`src/${id}.txt`] })));
    world.moveToReady(...TASKS);
    await world.untilColumn("Done", ...TASKS);
    await world.settle();
    await second.idle();

    for (const id of TASKS) expect(await world.attemptsOf(id)).toEqual([1]);
    expect(TASKS.map((id) => world.comments(id).length)).toEqual([1, 1, 1]);
    const landed = (await world.git("log", "--format=%s", "--first-parent", "main")).split("\n");
    expect(landed.filter((subject) => subject.startsWith("Task")).length).toBe(TASKS.length);
  });

  further("explore together, each from what the other one made", async () => {
    const sum = "src/sum.txt";
    const store = { url: await postgres().createDatabase() };
    const explored = { scores: { sum: { run: `awk '{ s += $1 } END { print s }' ${sum}` } } };
    world = await World.create({
      files: {
        "README.md": "# shop\n",
        [sum]: "1\n",
        ...Object.fromEntries([2, 3, 5, 7].map((n) => [`ideas/${n}.md`, `add ${n}\n`])),
      },
      operator: { store, server: { port: 0, name: "alpha" }, slots: 1 },
      repository: explored,
    });
    const dataDir = join(world.folder, "second");
    second = await world.startServer({ dataDir, server: { port: 0, name: "beta" }, slots: 1 });
    await world.addTask({
      id: "sum",
      files: ["src/"],
      labels: ["explore"],
      body: "### Explore\n\nideas: ideas/*.md\nscore: sum\ndepth: 3\nbeam: 2\n",
      script: { lines: ["sleep 1", `sed -n 's/^add //p' "$WAVETRAIN_IDEA_FILE" >> ${sum}`] },
    });
    world.moveToReady("sum");
    await world.untilColumn("In review", "sum");
    await world.settle();
    await second.idle();

    const { runs, explorations } = await world.app.store.readRepo(repoName("acme/shop"));
    expect(new Set(runs.map(({ host }) => host))).toEqual(new Set(["alpha", "beta"]));
    const [exploration] = explorations;
    expect(exploration?.levels.map(({ promoted }) => promoted.length)).toEqual([2, 2, 2]);
    expect(runs.filter(({ outcome }) => outcome?.kind !== "succeeded")).toEqual([]);
    expect(await world.git("show", `${world.pull("sum").headRef}:${sum}`)).toBe("1\n7\n7\n7");
    expect(await world.git("for-each-ref", "refs/wavetrain/")).toBe("");
    expect(world.comments("sum")).toHaveLength(1);
  });

  further(
    "stop a run on whichever it is, whoever of them hears the command, and say where it runs",
    async () => {
      await startBoth({ slots: 0 });
      await world.addTask({ id: "slow", files: ["src/slow.txt"], script: { waitFor: ["never"] } });
      world.moveToReady("slow");
      await world.until("it is at work", async () => (await world.attemptsOf("slow")).length === 1);
      const status = renderStatus(await world.status(), 120);
      expect(status).toContain("alpha: runs 0/0");
      expect(status).toContain(`runs: #${world.issue("slow").number} on beta`);

      const bundle = await bundledApp();
      const logs = (folder: string, ...args: readonly string[]) =>
        execa("node", [bundle, "logs", "slow", "--data-dir", join(world.folder, folder), ...args], {
          reject: false,
        });
      const { exitCode, stderr } = await logs("app");
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /attempt 1 of acme\/shop#\d+ is with the server beta, and so is its log \(.*\/second\/logs\/.*\): ask there; this one is alpha/,
      );
      expect((await logs("second")).exitCode).toBe(0);

      world.github.as("ann").comment(world.issue("slow"), "/cancel");
      await world.until("it is over", async () => (await world.taskState("slow")) === "cancelled");
      await second.idle();
      expect(second.working()).toEqual([]);
      const [run] = (await world.app.store.readRepo(world.repo)).runs;
      expect(run?.outcome).toEqual({ kind: "cancelled", reason: "cancelled by ann" });
    },
  );
});

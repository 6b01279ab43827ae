import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { evaluationsOf } from "../../src/domain/explore/evaluations.ts";
import { openShared } from "../../src/adapters/store/open-shared.ts";
import { instant, repoName } from "../../src/domain/ids.ts";
import type { RepoMemory } from "../../src/ports/store.ts";
import { usePostgres } from "../adapters/store/use-postgres.ts";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

const postgres = usePostgres();
const REPO = repoName("acme/shop");
const SUM = "src/sum.txt";
const IDEAS = [2, 3, 5];

let world: World;
let apps: readonly AppProcess[];

afterEach(async () => {
  for (const app of apps) await app.kill();
  await world.close();
});

async function memoryOf(url: string): Promise<RepoMemory> {
  const store = await openShared({ kind: "postgres", url, now: () => instant(Date.now()) });
  try {
    return await store.readRepo(REPO);
  } finally {
    await store.close();
  }
}

describe("an exploration on several servers", () => {
  further("goes on at any of them, on what another one made, and proposes one winner", async () => {
    const url = await postgres().createDatabase();
    world = await World.create({
      startApp: false,
      strict: false,
      files: {
        "README.md": "# shop\n",
        [SUM]: "1\n",
        ...Object.fromEntries(IDEAS.map((n) => [`ideas/${n}.md`, `add ${n}\n`])),
      },
      operator: { store: { url }, reconcileEvery: "500ms", slots: 1 },
      repository: { scores: { sum: { run: `awk '{ sum += $1 } END { print sum }' ${SUM}` } } },
    });
    apps = ["alpha", "beta", "gamma"].map(
      (name) => new AppProcess(world, {}, { dataDir: join(world.folder, name), server: { name } }),
    );
    for (const app of apps) await app.start();
    await world.addTask({
      id: "sum",
      files: ["src/"],
      labels: ["explore"],
      body: "### Explore\n\nideas: ideas/*.md\nscore: sum\ndepth: 3\nbeam: 2\n",
      script: { lines: [`sed -n 's/^add //p' "$WAVETRAIN_IDEA_FILE" >> ${SUM}`] },
    });
    world.moveToReady("sum");
    await world.untilColumn("In review", "sum");
    const { explorations, runs } = await memoryOf(url);
    const [exploration] = explorations;
    if (exploration === undefined) throw new Error("nothing was explored");
    const hosts = new Set(runs.map(({ host }) => host));
    expect(hosts.size).toBeGreaterThan(1);
    const evaluations = evaluationsOf(exploration, runs);
    expect(evaluations).toHaveLength(3 + 6 + 6);
    expect(evaluations.every(({ state }) => state === "succeeded")).toBe(true);
    expect(exploration.levels.map(({ promoted }) => promoted)).toEqual([
      [2, 3],
      [6, 9],
      [12, 15],
    ]);
    const best = evaluations.find(({ number }) => number === exploration.end?.winner);
    expect(best?.score).toBe(16);
    expect(world.pulls()).toHaveLength(1);
    expect(await world.git("show", `${world.pull("sum").headRef}:${SUM}`)).toBe("1\n5\n5\n5");
    await world.until("nothing of it is left on GitHub", async () => {
      const refs = await world.git("for-each-ref", "--format=%(refname)", "refs/wavetrain/explore");
      return refs.trim() === "";
    });
  });
});

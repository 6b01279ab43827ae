import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../local-github/wire/seeded-random.ts";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { replay } from "../../src/adapters/store/events/replay.ts";
import { evaluationsOf } from "../../src/domain/explore/evaluations.ts";
import { instant, repoName } from "../../src/domain/ids.ts";
import type { RepoMemory } from "../../src/ports/store.ts";
import { AppProcess } from "../support/app-process.ts";
import { runGitText } from "../support/git-text.ts";
import { killAtAnyMoment } from "../support/kill-at-any-moment.ts";
import { runningAgents } from "../support/landed-once.ts";
import { SEED, times } from "../support/proofs.ts";
import { World } from "../support/world.ts";

const REPO = repoName("acme/shop");
const KILLS = times({ test: 10, ci: 100, long: 1000 });
const LONGEST_LIFE_MS = 1_500;

const SUM = "src/sum.txt";
const IDEAS = [2, 3, 5, 7, 11];
const FILES = {
  "README.md": "# shop\n",
  [SUM]: "1\n",
  "judge/score.sh": `awk '{ sum = (sum * 31 + $1 * 17) % 1009 } END { print sum }' ${SUM}\n`,
  ...Object.fromEntries(IDEAS.map((n) => [`ideas/${n}.md`, `add ${n}\n`])),
};
/** Some ideas fail on some nodes, always the same. `await` is the test's: so the exploration goes no faster than the kills. */
const LINES = [
  `await "go.$contender"`,
  `sed -n 's/^add //p' "$WAVETRAIN_IDEA_FILE" >> ${SUM}`,
  `if [ $(awk '{ sum += $1 } END { print sum % 5 }' ${SUM}) = 4 ]; then status=3; fi`,
];
const SECTION = "### Explore\n\nideas: ideas/*.md\nscore: hash\ndepth: 2\nbeam: 3\n";

describe.runIf(process.platform === "linux")("kill -9 during an exploration", () => {
  it(
    `${KILLS} times, at any moment, leaves the winner as it is, and repeats no evaluation that has ended`,
    { timeout: 900_000 },
    async () => {
      const serial = await exploreSerially();
      const total = serial.levels.flatMap(({ evaluations }) => evaluations).length;
      expect(total).toBeGreaterThan(10);
      const world = await makeWorld({ slots: 4 });
      const app = new AppProcess(world);
      try {
        await killOften(world, app, total);
        await app.start();
        await world.untilColumn("In review", "sum");
        await world.github.deliverySettled();
        expect(await app.stop()).toBe(0);
        const memory = await memoryOf(world);
        expect(outcomeOf(memory)).toEqual(serial);
        expectNothingTwice(memory);
        await expectNothingLeft(world, memory);
      } finally {
        await app.kill();
        await world.close();
      }
    },
  );
});

async function makeWorld({ slots }: { readonly slots: number }): Promise<World> {
  const world = await World.create({
    files: FILES,
    startApp: false,
    strict: false,
    operator: { reconcileEvery: "500ms", deliveriesEvery: "2s", onStop: "stop", slots },
    repository: {
      scores: { hash: { run: "sh judge/score.sh", files: ["judge/"] } },
      limits: { parallel: slots },
    },
  });
  await world.addTask({
    id: "sum",
    files: ["src/"],
    labels: ["explore"],
    body: SECTION,
    script: { lines: LINES },
  });
  return world;
}

/** What comes of it on one slot, with nobody who kills anything. */
async function exploreSerially(): Promise<Outcome> {
  const world = await makeWorld({ slots: 1 });
  const app = new AppProcess(world);
  try {
    for (let n = 1; n <= 100; n += 1) await letGo(world, n);
    await app.start();
    world.moveToReady("sum");
    await world.untilColumn("In review", "sum");
    await app.stop();
    return outcomeOf(await memoryOf(world));
  } finally {
    await app.kill();
    await world.close();
  }
}

/** The last evaluation may go on only after the last kill. */
async function killOften(world: World, app: AppProcess, total: number): Promise<void> {
  const random = seededRandom(SEED);
  world.moveToReady("sum");
  let released = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await killAtAnyMoment(world, app, { random, longestLifeMs: LONGEST_LIFE_MS });
    for (; released < Math.floor((kill * (total - 1)) / KILLS); released += 1)
      await letGo(world, released + 1);
  }
  await letGo(world, total);
}

function letGo(world: World, contender: number): Promise<void> {
  return writeFile(join(world.agentFolder, `go.${contender}`), "");
}

async function memoryOf(world: World): Promise<RepoMemory> {
  const path = join(world.folder, "app", "store");
  const store = await openStore({ path, now: () => instant(Date.now()) });
  try {
    const memory = await store.readRepo(REPO);
    const replayed = replay(await store.events(0, 1_000_000));
    expect(replayed.explorations).toEqual(memory.explorations);
    return memory;
  } finally {
    await store.close();
  }
}

type Outcome = ReturnType<typeof outcomeOf>;

/** What was tried, what was promoted and what won; commits have the names of runs in them, which are the same. */
function outcomeOf({ explorations, runs }: RepoMemory) {
  const exploration = explorations.at(-1);
  if (exploration === undefined) throw new Error("nothing was explored");
  expect(exploration.state).toBe("ended");
  const scores = evaluationsOf(exploration, runs).map(({ state, score }) => score ?? state);
  const levels = exploration.levels.map(({ depth, evaluations, promoted }) => ({
    depth,
    promoted,
    evaluations: evaluations.map(({ number, parent, idea }) => ({ number, parent, idea })),
  }));
  return { levels, scores, winner: exploration.end?.winner };
}

/** A failed evaluation is tried once more; whatever else ran again had been taken away. */
function expectNothingTwice({ explorations, runs }: RepoMemory): void {
  const [exploration] = explorations;
  if (exploration === undefined) throw new Error("nothing was explored");
  expect(explorations).toHaveLength(1);
  for (const { runs: own } of evaluationsOf(exploration, runs)) {
    const kinds = own.map(({ outcome }) => outcome?.kind);
    expect(kinds.slice(0, -1)).not.toContain("succeeded");
    expect(kinds.filter((kind) => kind === "failed").length).toBeLessThanOrEqual(2);
    expect(kinds.filter((kind) => kind === undefined)).toEqual([]);
  }
}

async function expectNothingLeft(world: World, { explorations }: RepoMemory): Promise<void> {
  expect(await runningAgents(world)).toEqual([]);
  expect(await world.workspaces()).toEqual([]);
  const mirror = join(world.folder, "app", "mirrors", "acme", "shop.git");
  const args = ["for-each-ref", "--format=%(refname)", "refs/wavetrain/explore/"];
  const refs = (await runGitText(mirror, args)).split("\n").filter(Boolean).sort();
  const [exploration] = explorations;
  const known = exploration?.levels.flatMap(({ depth, evaluations }) =>
    evaluations.map(({ number }) => `refs/wavetrain/explore/1/${depth}/1.${number}`),
  );
  // Each evaluation that made something has one ref, and nothing else has any.
  expect(refs.filter((ref) => known?.includes(ref) !== true)).toEqual([]);
  expect(world.pulls()).toHaveLength(1);
}

import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repoName } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import { DRIVEN_PROGRAMS } from "../support/agent-programs.ts";
import { bubblewrapWorks, pathWith } from "../support/installed.ts";
import type { AgentProgram } from "../support/installed.ts";
import { ModelServer } from "../support/model-server.ts";
import { World } from "../support/world.ts";

const PROGRAMS = ["codex", "claude", "gemini", "opencode"] as const;
const PATHS = new Map(PROGRAMS.map((program) => [program, pathWith(program)]));
const INSTALLED = PROGRAMS.filter((program) => PATHS.get(program) !== undefined);
const PATH = INSTALLED.flatMap((program) => PATHS.get(program) ?? [])[0] ?? "";
const HAS_BUBBLEWRAP = await bubblewrapWorks();
const REPO = repoName("acme/shop");

/** Every program has one task, which is called like it. It passes when the first attempt's file is there as well as the second's. */
const VERIFY = `test -f "src/$WAVETRAIN_TASK_ID/one.txt" && test -f "src/$WAVETRAIN_TASK_ID/two.txt"`;

let model: ModelServer;
let world: World;
let dataDir: string;
beforeEach(async () => {
  model = await ModelServer.start();
  // Not in memory like the rest of the run: the sandbox that codex makes for itself has a /dev of its own, without /dev/shm.
  dataDir = await mkdtemp("/var/tmp/wavetrain-sessions-");
});
afterEach(async () => {
  await world.close();
  await model.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function createWorld(
  programs: readonly AgentProgram[],
  sandbox: "bubblewrap" | "none",
): Promise<void> {
  const driven = programs.map((program) => [program, DRIVEN_PROGRAMS[program]] as const);
  const variables = driven.map(([, { environment }]) => environment(model));
  const environment = Object.assign({ PATH }, ...variables) as Record<string, string>;
  world = await World.create({
    environment,
    repository: {
      verify: VERIFY,
      feedback: { quiet: "50ms" },
      // Whatever costs an attempt that should not ends in failure.
      limits: { attempts: 2 },
    },
    operator: {
      dataDir,
      runners: Object.fromEntries(driven.map(([program, { runner }]) => [program, runner(model)])),
      sandbox,
      rest: { first: "200ms", longest: "200ms" },
      reconcileEvery: "500ms",
    },
  });
  for (const id of programs)
    await world.addTask({ id, files: [`src/${id}/**`], labels: [`runner:${id}`] });
}

async function runsOf(id: string): Promise<readonly Run[]> {
  const { runs, tasks } = await world.app.store.readRepo(REPO);
  const task = tasks.find(({ issue }) => issue === world.issue(id).number);
  return runs.filter((run) => run.task === task?.id);
}

async function failuresOf(id: string): Promise<number | undefined> {
  const { tasks } = await world.app.store.readRepo(REPO);
  return tasks.find(({ issue }) => issue === world.issue(id).number)?.failures;
}

const onBranch = (id: string, file: string): Promise<string> =>
  world.git("show", `${world.pull(id).headRef}:src/${id}/${file}`).catch(() => "");

/** Whoever is given up would otherwise be waited for in vain. */
async function untilReviewed(ids: readonly AgentProgram[]): Promise<void> {
  await world.until(`${ids.join(", ")} in review`, async () => {
    const columns = ids.map((id) => world.column(id));
    const blocked = ids.filter((_, at) => columns[at] === "Blocked");
    const outcomes = (await Promise.all(blocked.map(runsOf))).flat().map(({ outcome }) => outcome);
    expect(outcomes).toEqual([]);
    return columns.every((column) => column === "In review");
  });
  await world.settle();
}

/** Bob asks for more on every pull request, and waits until there is more. */
async function review(ids: readonly AgentProgram[], words: string, file: string): Promise<void> {
  for (const id of ids) world.github.as("bob").requestChanges(world.pull(id), words);
  await world.until(`${file} is on every branch`, async () => {
    const found = await Promise.all(ids.map((id) => onBranch(id, file)));
    return found.every((text) => text !== "");
  });
  await world.untilColumn("In review", ...ids);
  await world.settle();
}

/** The words that each request of the task brought along, of those that its earlier runs said. */
function remembered(id: string): readonly string[] {
  return model
    .requestsOf(id)
    .map(({ text }) => ["First.", "Second."].filter((word) => text.includes(word)).join(" "));
}

async function wholeStory(ids: readonly AgentProgram[]): Promise<void> {
  for (const id of ids)
    model.script(
      id,
      { write: `src/${id}/one.txt`, text: "one" },
      { say: "First." },
      // The verification failed; the second attempt is refused by its provider and goes on later.
      DRIVEN_PROGRAMS[id].limit,
      { write: `src/${id}/two.txt`, text: "two" },
      { say: "Second." },
      // A reviewer asked for more, twice.
      { write: `src/${id}/three.txt`, text: "three" },
      { say: "Third." },
      { write: `src/${id}/four.txt`, text: "four" },
      { say: "Fourth." },
    );
  world.moveToReady(...ids);
  await untilReviewed(ids);
  await review(ids, "Three, please.", "three.txt");
  for (const id of ids) await DRIVEN_PROGRAMS[id].forget(homeOf(id));
  await review(ids, "Four, please.", "four.txt");
}

function homeOf(id: string): string {
  return join(dataDir, "homes", encodeURIComponent(`${REPO}#${world.issue(id).number}`));
}

async function expectWholeStory(id: AgentProgram): Promise<void> {
  const runs = await runsOf(id);
  const kinds = runs.map(({ outcome }) => outcome?.kind);
  const well = ["succeeded", "succeeded", "succeeded"];
  expect([id, ...kinds]).toEqual([id, "verify-failed", "provider-limited", ...well]);
  expect(await failuresOf(id)).toBe(1);
  // Attempt 2 found what attempt 1 wrote: it wrote the second file alone, and the change has both.
  for (const [file, text] of [
    ["one", "one"],
    ["two", "two"],
    ["four", "four"],
  ] as const)
    expect(await onBranch(id, `${file}.txt`)).toBe(text);
  expect(new Set(runs.map(({ workspace }) => workspace)).size).toBe(1);
  const [first, limited, second, third, fourth] = runs.map(({ session }) => session);
  expect([limited, second, third]).toEqual([first, first, first]);
  expect(fourth).not.toBe(first);
  // Every run but the last remembers; the last one's conversation was gone.
  const said = remembered(id);
  expect([id, ...said.filter((words, at) => words !== said[at - 1])]).toEqual([
    id,
    "",
    "First.",
    "First. Second.",
    "",
  ]);
}

describe.skipIf(INSTALLED.length === 0)("a runner's conversation", () => {
  it.skipIf(!HAS_BUBBLEWRAP)(
    "goes on after a failed verify, a provider's limit and a review, in bubblewrap, and is begun anew when it is gone",
    async () => {
      await createWorld(INSTALLED, "bubblewrap");
      await wholeStory(INSTALLED);
      for (const id of INSTALLED) await expectWholeStory(id);
    },
  );

  it("does so without a sandbox, too", async () => {
    // opencode is never run without one.
    const ids = INSTALLED.filter((program) => program !== "opencode");
    await createWorld(ids, "none");
    await wholeStory(ids);
    for (const id of ids) await expectWholeStory(id);
  });
});

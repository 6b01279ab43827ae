// What the app costs per task beside the agent's own work: `npx tsx bench/overhead.ts [--tasks 8]`.
// The whole path from Ready to the pull request with a runner that writes one file, against the bare shell sequence that does the
// same git work, in turn.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { World } from "../test/support/world.ts";
import { shellGit } from "./workspaces/sample-repository.ts";

const { values } = parseArgs({ options: { tasks: { type: "string", default: "8" } } });
const tasks = Number(values.tasks);

const files = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`src/${index}.ts`, `export const n = ${index};\n`]),
);
const world = await World.create({ files: { "README.md": "# bench\n", ...files } });
const root = await mkdtemp(join(tmpdir(), "wavetrain-overhead-"));
const [ours, bare]: [number[], number[]] = [[], []];
try {
  const mirror = join(root, "mirror.git");
  await shellGit(root, "clone", "--quiet", "--bare", world.repository.dir, mirror);
  for (let task = 0; task < tasks; task += 1) {
    ours.push(await timed(() => throughTheApp(`t${task}`)));
    bare.push(await timed(() => byShell(mirror, `bare-${task}`)));
  }
  await printResult();
} finally {
  await world.stopApp();
  await rm(root, { recursive: true });
}
process.exit(0);

async function throughTheApp(id: string): Promise<void> {
  await world.addTask({ id, files: [`src/${id}.ts`] });
  world.moveToReady(id);
  await world.until(`${id} has a pull request`, () =>
    world
      .pulls()
      .some((pull) => pull.body?.includes(`Closes #${world.issue(id).number}.`) === true),
  );
}

async function byShell(mirror: string, branch: string): Promise<void> {
  const tree = join(root, branch);
  const remote = world.repository.dir;
  await shellGit(mirror, "fetch", "--quiet", "--no-tags", remote, "+main:base");
  await shellGit(mirror, "worktree", "add", "--quiet", "-b", branch, tree, "base");
  await writeFile(join(tree, `${branch}.ts`), "new\n");
  await shellGit(tree, "add", "--all");
  await shellGit(tree, "commit", "--quiet", "--message", branch);
  await shellGit(tree, "push", "--quiet", remote, branch);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function printResult(): Promise<void> {
  const [app, shell] = [median(ours), median(bare)];
  console.log(`# ${tasks} tasks on 200 files, one after another, medians`);
  console.log(
    `  ${"fetch, worktree add, write, commit, push".padEnd(52)} ${shell.toFixed(0)} ms  1.00x`,
  );
  console.log(
    `  ${"the app, Ready to pull request".padEnd(52)} ${app.toFixed(0)} ms  ${(app / shell).toFixed(2)}x`,
  );
  for (const [step, ms] of await breakdown())
    console.log(`    ${step.padEnd(50)} ${ms.toFixed(0)} ms`);
}

/** From the event log: when a run was queued, had its workspace, and had ended. */
async function breakdown(): Promise<readonly (readonly [string, number])[]> {
  const events = await world.app.store.events(0, 100_000);
  const times = (kind: string): readonly number[] =>
    events.filter(({ change }) => change.kind === kind).map(({ at }) => at);
  const agents = await world.journal();
  const at = (what: string): readonly number[] =>
    agents.filter((line) => line.what === what).map((line) => line.at);
  const [queued, started, ended] = ["run-queued", "run-started", "run-finished"].map(times);
  const gaps = (from: readonly number[] = [], to: readonly number[] = []): number =>
    median(from.map((time, index) => (to[index] ?? time) - time));
  return [
    ["queued → workspace ready", gaps(queued, started)],
    ["workspace ready → the agent's first line", gaps(started, at("started"))],
    ["the agent at work", gaps(at("started"), at("ended"))],
    ["collected, verified, pushed, pull request", gaps(at("ended"), ended)],
  ];
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

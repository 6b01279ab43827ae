// What the app costs per task beside the agent's own work: `npx tsx bench/overhead.ts [--tasks 8]`.
// The whole path from Ready to the pull request with a runner that writes one file, against the bare shell sequence that does the
// same git work, in turn. Times depend on what else the machine does; the number of git processes does not.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { differencesFromDefaults } from "../src/config/repository/differences.ts";
import { operatorConfigSchema } from "../src/config/schema/operator-config.ts";
import { WORLD_REASONS } from "../test/support/world-options.ts";
import { World } from "../test/support/world.ts";
import { createGitCounter, type GitCounts } from "./git-counter.ts";
import { tellGoal } from "./goal.ts";
import { tellDifferences } from "./tell-differences.ts";
import { createShellGit, shellGit } from "./workspaces/shell-git.ts";

const { values } = parseArgs({ options: { tasks: { type: "string", default: "8" } } });
const tasks = Number(values.tasks);
/** Ours finds out what changed without believing what the runner wrote about it, and cleans up after itself. */
const MOST_COMMANDS = 2;
const MOST_PROCESSES = 1;
const MOST_TIME = 3;

const files = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`src/${index}.ts`, `export const n = ${index};\n`]),
);
const root = await mkdtemp(join(tmpdir(), "wavetrain-overhead-"));
const counter = await createGitCounter(join(root, "counter"));
const world = await World.create({
  files: { "README.md": "# bench\n", ...files },
  environment: { PATH: counter.path },
  defaults: true,
});
const [ours, bare]: [Measured[], Measured[]] = [[], []];
try {
  const mirror = join(root, "mirror.git");
  await shellGit(root, "clone", "--quiet", "--bare", world.repository.dir, mirror);
  // The first task makes the mirror and the first workspace.
  await measured(() => throughTheApp("first"));
  for (let task = 0; task < tasks; task += 1) {
    ours.push(await measured(() => throughTheApp(`t${task}`)));
    bare.push(await measured(() => byShell(mirror, `bare-${task}`)));
  }
  await printResult();
} finally {
  await world.stopApp();
  await rm(root, { recursive: true });
}
process.exit();

interface Measured extends GitCounts {
  readonly ms: number;
}

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
  const git = createShellGit({ PATH: counter.path });
  await git(mirror, "fetch", "--quiet", "--no-tags", remote, "+main:base");
  await git(mirror, "worktree", "add", "--quiet", "-b", branch, tree, "base");
  await writeFile(join(tree, `${branch}.ts`), "new\n");
  await git(tree, "add", "--all");
  await git(tree, "commit", "--quiet", "--message", branch);
  await git(tree, "push", "--quiet", remote, branch);
}

/** Counted to the end of all that the task makes the app do; timed to its pull request. */
async function measured(work: () => Promise<void>): Promise<Measured> {
  await counter.take();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  await world.settle();
  return { ms, ...(await counter.take()) };
}

async function printResult(): Promise<void> {
  const [app, shell] = [medians(ours), medians(bare)];
  console.log(`# ${tasks} tasks on 200 files, one after another, medians`);
  const config = operatorConfigSchema.parse(world.operatorConfig());
  tellDifferences(differencesFromDefaults(config, WORLD_REASONS));
  printRow("fetch, worktree add, write, commit, push", shell, shell);
  printRow("the app, Ready to pull request", app, shell);
  for (const [step, ms] of await breakdown())
    console.log(`    ${step.padEnd(50)} ${ms.toFixed(0)} ms`);
  const mayCall = MOST_COMMANDS * shell.commands;
  tellGoal(`at most ${mayCall} git commands a task`, app.commands <= mayCall);
  const mayStart = MOST_PROCESSES * shell.processes;
  tellGoal(`at most ${mayStart} git processes a task`, app.processes <= mayStart);
  const ratio = app.ms / shell.ms;
  tellGoal(`at most ${MOST_TIME} × the time of the bare commands`, ratio <= MOST_TIME);
}

function printRow(name: string, one: Measured, shell: Measured): void {
  const ratio = (of: keyof Measured): string => `${(one[of] / shell[of]).toFixed(2)}x`;
  console.log(
    `  ${name.padEnd(42)} ${one.ms.toFixed(0).padStart(6)} ms ${ratio("ms")}  ${one.commands} git commands ${ratio("commands")}  ${one.processes} git processes ${ratio("processes")}`,
  );
}

function medians(all: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number => median(all.map((one) => one[key]));
  return { ms: of("ms"), commands: of("commands"), processes: of("processes") };
}

/** From the event log: when a run was queued, had its workspace, and had ended. */
async function breakdown(): Promise<readonly (readonly [string, number])[]> {
  const events = await world.app.store.events(0, 100_000);
  const times = (kind: string): readonly number[] =>
    events.filter(({ change }) => change.kind === kind).map(({ at }) => at);
  const agents = await world.journal();
  const at = (what: string): readonly number[] =>
    agents.filter((line) => line.what === what).map((line) => Number(line.at));
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

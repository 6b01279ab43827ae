// Workspaces side by side with what others do: `npx tsx bench/workspaces/main.ts [--files 200,10000,100000] [--rounds 5]`.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createGit } from "../../src/adapters/git/create-git.ts";
import { entryId, instant, repoName, type Sha } from "../../src/domain/ids.ts";
import type { Git, Workspace } from "../../src/ports/git.ts";
import { printOpenAtOnce } from "./open-at-once.ts";
import { createSampleRepository, shellGit, type SampleRepository } from "./sample-repository.ts";
import { printSideBySide, type Way } from "./side-by-side.ts";

const REPO = repoName("octo/bench");
const AUTHOR = { name: "bench", email: "bench@example.test" };
const AT_ONCE = 16;

interface Scene {
  readonly root: string;
  readonly sample: SampleRepository;
}

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "200,10000" },
    rounds: { type: "string", default: "5" },
  },
});
const rounds = Number(values.rounds);
for (const files of values.files.split(",").map(Number)) {
  const root = await mkdtemp(join(tmpdir(), "wavetrain-bench-"));
  try {
    const scene = { root, sample: await createSampleRepository(root, files) };
    console.log(`\n# ${files} files, median of ${rounds}`);
    await printSideBySide("a workspace to work in", await openWays(scene), rounds);
    await printSideBySide("what changed in it, as a commit", await commitWays(scene), rounds);
    await printSideBySide("a change on a base that moved", await integrateWays(scene), rounds);
    const pooled = await gitWith(scene, AT_ONCE);
    const { remote, base } = scene.sample;
    // Clones of a large repository take seconds each: one round says enough.
    const few = files > 20_000 ? 1 : Math.min(rounds, 3);
    await printOpenAtOnce({ root, remote, repo: REPO, base }, pooled, few);
    await printParallel(scene);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function gitWith({ root, sample }: Scene, maxSpares: number): Promise<Git> {
  const git = createGit({
    dataDir: await mkdtemp(join(root, "data-")),
    remoteUrl: () => `file://${sample.remote}`,
    token: () => Promise.resolve(""),
    now: () => instant(0),
    maxSpares,
  });
  await git.fetchBranch(REPO, "main");
  return git;
}

async function openWays(scene: Scene): Promise<readonly Way[]> {
  const { base, later, remote } = scene.sample;
  const target = join(scene.root, "target");
  const shell = (name: string, ...args: readonly string[]): Way => ({
    name,
    run: async () => {
      await shellGit(remote, ...args);
    },
    tidy: async () => {
      await rm(target, { recursive: true });
      await shellGit(remote, "worktree", "prune");
    },
  });
  const fresh = await gitWith(scene, 0);
  const pooled = await gitWith(scene, 1);
  return [
    shell("git worktree add -B", "worktree", "add", "-B", "bench", target, base),
    shell("git clone --shared", "clone", "--shared", remote, target),
    shell("git clone --reference", "clone", "--reference", remote, `file://${remote}`, target),
    shell("git clone --depth 1", "clone", "--depth", "1", `file://${remote}`, target),
    openWay("ours, the first time", fresh, { base }),
    openWay("ours, used before", pooled, { base, spareAt: base }),
    openWay("ours, used before, base moved 20 commits", pooled, { base: later, spareAt: base }),
  ];
}

function openWay(
  name: string,
  git: Git,
  { base, spareAt }: { readonly base: Sha; readonly spareAt?: Sha },
): Way {
  let opened: Workspace;
  return {
    name,
    prepare: async () => {
      if (spareAt === undefined) return;
      await git.closeWorkspace(
        await git.openWorkspace({ repo: REPO, id: "before", base: spareAt }),
      );
    },
    run: async () => {
      opened = await git.openWorkspace({ repo: REPO, id: "bench", base });
    },
    tidy: () => git.closeWorkspace(opened),
  };
}

async function commitWays(scene: Scene): Promise<readonly Way[]> {
  const { base, remote } = scene.sample;
  const git = await gitWith(scene, 0);
  const worktree = join(scene.root, "commit");
  await shellGit(remote, "worktree", "add", "--detach", worktree, base);
  const workspace = await git.openWorkspace({ repo: REPO, id: "commit", base });
  const edit = (path: string) => (): Promise<void> =>
    writeFile(join(path, "new.ts"), String(Math.random()));
  return [
    {
      name: "git add, git commit, git diff-tree",
      prepare: edit(worktree),
      run: async () => {
        await shellGit(worktree, "add", "--all");
        await shellGit(worktree, "commit", "--quiet", "--message", "m");
        await shellGit(worktree, "diff-tree", "-r", "--name-only", base, "HEAD");
      },
    },
    {
      name: "ours, diffWorkspace and commitWorkspace",
      prepare: edit(workspace.path),
      run: async () => {
        await git.diffWorkspace(workspace);
        await git.commitWorkspace(workspace, { message: "m", author: AUTHOR });
      },
    },
  ];
}

async function integrateWays(scene: Scene): Promise<readonly Way[]> {
  const { base, later, remote } = scene.sample;
  const git = await gitWith(scene, 0);
  const workspace = await git.openWorkspace({ repo: REPO, id: "integrate", base });
  await writeFile(join(workspace.path, "new.ts"), "new");
  const head = await git.commitWorkspace(workspace, { message: "m", author: AUTHOR });
  await git.pushBranch({ repo: REPO, branch: "change", commit: head, expected: undefined });
  const worktree = join(scene.root, "rebase");
  await shellGit(remote, "worktree", "add", "--detach", worktree, later);
  return [
    {
      name: "git checkout, git rebase in a worktree that is there",
      run: async () => {
        await shellGit(worktree, "checkout", "--quiet", "--detach", head);
        await shellGit(worktree, "rebase", "--quiet", later);
      },
      tidy: async () => {
        await shellGit(worktree, "checkout", "--quiet", "--detach", later);
      },
    },
    {
      name: "ours, buildCandidate",
      run: async () => {
        const parts = [{ entry: entryId("bench"), head, message: "m" }];
        const request = { repo: REPO, base: later, method: "squash", parts } as const;
        const built = await git.buildCandidate(request);
        if (built.kind !== "built") throw new Error(built.kind);
      },
    },
  ];
}

/** The same number of workspaces in a row and at once: nothing may fail, and little more may be computed. */
async function printParallel(scene: Scene): Promise<void> {
  const git = await gitWith(scene, 0);
  const one = async (index: number): Promise<void> => {
    const id = `bench-${index}`;
    const workspace = await git.openWorkspace({ repo: REPO, id, base: scene.sample.base });
    await writeFile(join(workspace.path, `${id}.ts`), id);
    await git.commitWorkspace(workspace, { message: id, author: AUTHOR });
    await git.closeWorkspace(workspace);
  };
  const indices = Array.from({ length: AT_ONCE }, (_, index) => index);
  const inARow = await costOf(async () => {
    for (const index of indices) await one(index);
  });
  const atOnce = await costOf(async () => {
    await Promise.all(indices.map(one));
  });
  console.log(`\n${AT_ONCE} workspaces opened, committed and closed`);
  console.log(`  in a row  ${inARow.wallMs.toFixed(0)} ms, ${inARow.cpuMs.toFixed(0)} ms of CPU`);
  const ratio = (atOnce.cpuMs / inARow.cpuMs).toFixed(2);
  console.log(
    `  at once   ${atOnce.wallMs.toFixed(0)} ms, ${atOnce.cpuMs.toFixed(0)} ms of CPU (${ratio}x)`,
  );
}

async function costOf(work: () => Promise<void>): Promise<{ wallMs: number; cpuMs: number }> {
  const [wall, cpu] = [performance.now(), await cpuMs()];
  await work();
  return { wallMs: performance.now() - wall, cpuMs: (await cpuMs()) - cpu };
}

/** Of this process and the children that it has waited for; Linux counts in hundredths of a second. */
async function cpuMs(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sha } from "../../src/domain/ids.ts";
import type { Git, Workspace } from "../../src/ports/git.ts";
import { tellGoal } from "../goal.ts";
import { cloneSequences } from "./clone-sequences.ts";
import { gitWith, REPO, type Scene } from "./scene.ts";
import { shellGit } from "./shell-git.ts";
import { printSideBySide, ratioOf, type Times, type Way } from "./side-by-side.ts";

const USED_BEFORE = "ours, used before";
/** Of `git worktree add`, from that many files on. */
const GOALS = [
  { files: 10_000, ratio: 0.15 },
  { files: 0, ratio: 1.1 },
];

/** One workspace, by what others do and by ours. */
export async function printOpenOne(scene: Scene): Promise<void> {
  const { base, later } = scene.sample;
  const [fresh, pooled] = [await gitWith(scene, 0), await gitWith(scene, 1)];
  const ways = [
    ...shellWays(scene),
    ...(await recycledWays(scene)),
    openWay("ours, the first time", fresh, { base }),
    openWay(USED_BEFORE, pooled, { base, spareAt: base }),
    openWay("ours, used before, base moved 20 commits", pooled, { base: later, spareAt: base }),
  ];
  const { rounds: count, until } = scene;
  tellGoals(await printSideBySide(ways, { title: "a workspace to work in", count, until }), scene);
}

function tellGoals(times: Times, { files }: Scene): void {
  const own = times.get(USED_BEFORE)?.medianMs;
  for (const [name, { medianMs }] of times) {
    const ratio = ratioOf(own, medianMs);
    if (name.startsWith("ours")) continue;
    tellGoal(`${USED_BEFORE}: quicker than ${name}`, ratio === undefined ? undefined : ratio < 1);
  }
  const wanted = GOALS.find((goal) => files >= goal.files)?.ratio ?? 1;
  const ratio = ratioOf(own, times.get("git worktree add")?.medianMs);
  const reached = ratio === undefined ? undefined : ratio <= wanted;
  tellGoal(`${USED_BEFORE}: at most ${wanted} of git worktree add`, reached);
}

function shellWays({ root, sample }: Scene): readonly Way[] {
  const target = { path: join(root, "target"), id: "bench" };
  return Object.entries(cloneSequences(sample)).map(([name, args]) => ({
    name,
    run: async () => {
      await shellGit(sample.remote, ...args(target));
    },
    tidy: async () => {
      await rm(target.path, { recursive: true });
      await shellGit(sample.remote, "worktree", "prune");
    },
  }));
}

/** Worktrees that are used again and cleaned when the next task comes, with or without what git ignores. */
async function recycledWays({ root, sample: { remote, base } }: Scene): Promise<readonly Way[]> {
  const path = join(root, "recycled");
  await shellGit(remote, "worktree", "add", "--quiet", "--detach", path, base);
  const prepare = (): Promise<void> => writeFile(join(path, "left-behind.ts"), "left behind");
  return [
    {
      name: "git worktree used before: checkout -f -B, clean -ffdx",
      prepare,
      run: async () => {
        await shellGit(path, "checkout", "--quiet", "-f", "-B", "recycled", base);
        await shellGit(path, "clean", "--quiet", "-ffdx");
      },
    },
    {
      name: "git worktree used before: reset --hard, clean -ffd",
      prepare,
      run: async () => {
        await shellGit(path, "reset", "--quiet", "--hard", base);
        await shellGit(path, "clean", "--quiet", "-ffd");
      },
    },
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

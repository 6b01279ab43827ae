import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../../src/ports/git.ts";
import { tellGoal } from "../goal.ts";
import { cloneSequences } from "./clone-sequences.ts";
import { gitWith, REPO, type Scene } from "./scene.ts";
import { shellGit } from "./shell-git.ts";
import { printSideBySide, ratioOf, type Times, type Way } from "./side-by-side.ts";

const OURS = "ours, used before";
const AT_ONCE = [1, 4, 16];

/** The same number of workspaces at the same time, made by every way in turn. */
export async function printOpenAtOnce(scene: Scene): Promise<void> {
  const git = await gitWith(scene, Math.max(...AT_ONCE));
  // Sixteen clones take minutes on a large repository: one round says enough.
  const count = scene.files > 5_000 ? 1 : Math.min(scene.rounds, 3);
  let before: { readonly many: number; readonly times: Times } | undefined;
  for (const many of AT_ONCE) {
    const last = before;
    const expectedMs = (name: string): number =>
      last === undefined ? 0 : ((last.times.get(name)?.wholeMs ?? 0) * many) / last.many;
    const ways = [...shellWays(scene, many), ourWay(scene, git, many)];
    const rounds = { title: `${many} at once`, count, until: scene.until, expectedMs };
    const times = await printSideBySide(ways, rounds);
    tellGoals(times, many);
    before = { many, times };
  }
}

function tellGoals(times: Times, many: number): void {
  const own = times.get(OURS)?.medianMs;
  const others = [...times].filter(([name]) => name !== OURS);
  const ratios = others.flatMap(([, { medianMs }]) => ratioOf(own, medianMs) ?? []);
  const reached = ratios.length === 0 ? undefined : ratios.every((ratio) => ratio < 1);
  tellGoal(`${many} at once: ${OURS}, quicker than all ${ratios.length} others`, reached);
}

function shellWays({ root, sample }: Scene, many: number): readonly Way[] {
  return Object.entries(cloneSequences(sample)).map(([name, args]) => {
    let folder = "";
    return {
      name,
      prepare: async () => {
        folder = await mkdtemp(join(root, "at-once-"));
      },
      run: async () => {
        const made = numbers(many).map((n) =>
          shellGit(sample.remote, ...args({ path: join(folder, String(n)), id: `bench-${n}` })),
        );
        const ended = await Promise.allSettled(made);
        const failed = ended.filter(({ status }) => status === "rejected").length;
        // Plain git fails now and then when several worktrees are added at once: that is a result too.
        if (failed > 0) console.log(`  (${name}: ${failed} of ${many} failed)`);
      },
      tidy: async () => {
        await rm(folder, { recursive: true });
        await shellGit(sample.remote, "worktree", "prune");
      },
    };
  });
}

function ourWay({ sample: { base } }: Scene, git: Git, many: number): Way {
  const openAll = () =>
    Promise.all(
      numbers(many).map((n) => git.openWorkspace({ repo: REPO, id: `at-once-${n}`, base })),
    );
  let opened: Awaited<ReturnType<typeof openAll>> = [];
  const closeAll = async (): Promise<void> => {
    for (const workspace of opened) await git.closeWorkspace(workspace);
  };
  return {
    name: OURS,
    prepare: async () => {
      opened = await openAll();
      await closeAll();
    },
    run: async () => {
      opened = await openAll();
    },
    tidy: closeAll,
  };
}

function numbers(many: number): readonly number[] {
  return Array.from({ length: many }, (_, index) => index);
}

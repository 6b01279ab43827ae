import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../src/domain/ids.ts";
import type { Git } from "../../src/ports/git.ts";
import { shellGit } from "./sample-repository.ts";
import { printSideBySide, type Way } from "./side-by-side.ts";

interface Place {
  readonly root: string;
  readonly remote: string;
  readonly repo: RepoName;
  readonly base: Sha;
}

/** The same number of workspaces at the same time, made by every way in turn; what others do per task is one of them each. */
export async function printOpenAtOnce(place: Place, git: Git, rounds: number): Promise<void> {
  for (const many of [1, 4, 16])
    await printSideBySide(
      `${many} at once`,
      [...shellWays(place, many), ourWay(place, git, many)],
      rounds,
    );
}

function shellWays({ root, remote, base }: Place, many: number): readonly Way[] {
  const sequences: Readonly<Record<string, (target: string, id: string) => readonly string[]>> = {
    "git worktree add": (target, id) => ["worktree", "add", "-B", id, target, base],
    "git clone --shared": (target) => ["clone", "--shared", remote, target],
    "git clone --reference": (target) => [
      "clone",
      "--reference",
      remote,
      `file://${remote}`,
      target,
    ],
    "git clone --depth 1": (target) => ["clone", "--depth", "1", `file://${remote}`, target],
  };
  return Object.entries(sequences).map(([name, args]) => {
    let folder = "";
    return {
      name,
      prepare: async () => {
        folder = await mkdtemp(join(root, "at-once-"));
      },
      run: async () => {
        const made = numbers(many).map((n) =>
          shellGit(remote, ...args(join(folder, String(n)), `bench-${n}`)),
        );
        const ended = await Promise.allSettled(made);
        const failed = ended.filter(({ status }) => status === "rejected").length;
        // Plain git fails now and then when several worktrees are added at once: that is a result too.
        if (failed > 0) console.log(`  (${name}: ${failed} of ${many} failed)`);
      },
      tidy: async () => {
        await rm(folder, { recursive: true });
        await shellGit(remote, "worktree", "prune");
      },
    };
  });
}

function ourWay({ repo, base }: Place, git: Git, many: number): Way {
  const openAll = () =>
    Promise.all(numbers(many).map((n) => git.openWorkspace({ repo, id: `at-once-${n}`, base })));
  let opened: Awaited<ReturnType<typeof openAll>> = [];
  const closeAll = async (): Promise<void> => {
    for (const workspace of opened) await git.closeWorkspace(workspace);
  };
  return {
    name: "ours, pooled",
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

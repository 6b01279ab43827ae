import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { entryId } from "../../src/domain/ids.ts";
import { tellGoal } from "../goal.ts";
import { AUTHOR, gitWith, REPO, type Scene } from "./scene.ts";
import { shellGit } from "./shell-git.ts";
import { printSideBySide, ratioOf } from "./side-by-side.ts";

const REBASE = "git checkout, git rebase in a worktree that is there";
const OURS = "ours, buildCandidate";
/** Of a rebase, from that many files on; on a small repository both cost little. */
const GOALS = [
  { files: 50_000, ratio: 0.02 },
  { files: 10_000, ratio: 0.1 },
];

/** A change on a base that moved twenty commits. */
export async function printIntegrateChange(scene: Scene): Promise<void> {
  const { base, later, remote } = scene.sample;
  const git = await gitWith(scene, 0);
  const workspace = await git.openWorkspace({ repo: REPO, id: "integrate", base });
  await writeFile(join(workspace.path, "new.ts"), "new");
  const head = await git.commitWorkspace(workspace, { message: "m", author: AUTHOR });
  await git.pushBranch({ repo: REPO, branch: "change", commit: head, expected: undefined });
  const worktree = join(scene.root, "rebase");
  await shellGit(remote, "worktree", "add", "--detach", worktree, later);
  const rebase = {
    name: REBASE,
    run: async () => {
      await shellGit(worktree, "checkout", "--quiet", "--detach", head);
      await shellGit(worktree, "rebase", "--quiet", later);
    },
    tidy: async () => {
      await shellGit(worktree, "checkout", "--quiet", "--detach", later);
    },
  };
  const candidate = {
    name: OURS,
    run: async () => {
      const parts = [{ entry: entryId("bench"), head, message: "m" }];
      const request = { repo: REPO, base: later, method: "squash", parts } as const;
      const built = await git.buildCandidate(request);
      if (built.kind !== "built") throw new Error(built.kind);
    },
  };
  const { rounds: count, until } = scene;
  const rounds = { title: "a change on a base that moved", count, until };
  const times = await printSideBySide([rebase, candidate], rounds);
  const wanted = GOALS.find(({ files }) => scene.files >= files);
  if (wanted === undefined) return;
  const ratio = ratioOf(times.get(OURS)?.medianMs, times.get(REBASE)?.medianMs);
  const reached = ratio === undefined ? undefined : ratio <= wanted.ratio;
  tellGoal(`${OURS}: at most ${wanted.ratio} of a rebase`, reached);
}

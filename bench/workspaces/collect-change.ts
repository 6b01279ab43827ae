import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AUTHOR, gitWith, REPO, type Scene } from "./scene.ts";
import { shellGit } from "./shell-git.ts";
import { printSideBySide } from "./side-by-side.ts";

/** What a runner changed, as paths and as a commit. */
export async function printCollectChange(scene: Scene): Promise<void> {
  const { base, remote } = scene.sample;
  const git = await gitWith(scene, 0);
  const worktree = join(scene.root, "commit");
  await shellGit(remote, "worktree", "add", "--detach", worktree, base);
  const workspace = await git.openWorkspace({ repo: REPO, id: "commit", base });
  const edit = (path: string) => (): Promise<void> =>
    writeFile(join(path, "new.ts"), String(Math.random()));
  const ways = [
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
        const { tree } = await git.diffWorkspace(workspace);
        await git.commitWorkspace(workspace, { message: "m", author: AUTHOR, tree });
      },
    },
  ];
  const { rounds: count, until } = scene;
  await printSideBySide(ways, { title: "what changed in it, as a commit", count, until });
}

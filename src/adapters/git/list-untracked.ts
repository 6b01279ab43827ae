import { join } from "node:path";
import { rm } from "node:fs/promises";
import type { Workspace } from "../../ports/git.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Paths that the base does not have, whole folders as one: those that git ignores, or all of them. */
export async function listUntracked(
  git: MirrorGit,
  { repo, id }: Workspace,
  which: "ignored" | "all",
): Promise<readonly string[]> {
  const slot = git.layout.slot(repo, id);
  const ignored = which === "ignored" ? ["--ignored", "--exclude-standard"] : [];
  const listed = await git.expect({
    repo,
    args: ["ls-files", "-z", "--others", "--directory", "--no-empty-directory", ...ignored],
    env: { GIT_WORK_TREE: slot.tree, GIT_INDEX_FILE: slot.index },
  });
  return listed
    .split("\0")
    .map((path) => path.replace(/\/$/, ""))
    .filter((path) => path !== "" && path !== ".git");
}

export async function removeUntracked(git: MirrorGit, workspace: Workspace): Promise<void> {
  const paths = await listUntracked(git, workspace, "all");
  const remove = (path: string): Promise<void> =>
    rm(join(workspace.path, path), { recursive: true, force: true });
  await Promise.all(paths.map(remove));
}

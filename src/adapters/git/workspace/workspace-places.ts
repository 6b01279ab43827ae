import { readFile, realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { sha, type RepoName } from "../../../domain/ids.ts";
import type { Workspace } from "../../../ports/git.ts";
import { AppError } from "../../../shared/app-error.ts";
import { decodedName, foldersIn } from "../../host/folders.ts";
import { listRepos } from "../mirror/layout.ts";
import type { Layout, WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

// This stands for a base whose note a runner has spoilt: such a workspace can be closed, but neither compared nor committed.
const NO_COMMIT = sha("0".repeat(40));

export async function listWorkspaces(git: MirrorGit): Promise<readonly Workspace[]> {
  const found: Workspace[] = [];
  const { aside, layout } = git;
  for (const repo of await listRepos(layout.workspaces, aside))
    for (const place of await foldersIn(layout.workspacesOf(repo), { aside, read: decodedName }))
      found.push(await readWorkspace(git, repo, place));
  return found;
}

/** Names the paths where we put things and never asks the workspace's `.git`, which a runner could have made point anywhere. */
export function gitPaths({ layout }: MirrorGit, { repo, place }: Workspace): readonly string[] {
  const objects = join(layout.mirror(repo), "objects");
  return [layout.workspaceFolder(repo, place).repository, objects].map((path) => resolve(path));
}

/** Refuses a worktree that is gone or was replaced by a link to somewhere else. */
export async function assertInPlace(layout: Layout, folder: WorkspaceFolder): Promise<void> {
  if (!(await isInPlace(layout, folder)))
    throw new AppError("git-failed", `workspace ${folder.tree} is gone or was replaced`);
}

export async function isInPlace(layout: Layout, folder: WorkspaceFolder): Promise<boolean> {
  const expected = join(
    await realpath(layout.workspaces),
    relative(layout.workspaces, folder.tree),
  );
  const actual = await realpath(folder.tree).catch(() => undefined);
  return actual === expected && (await stat(actual)).isDirectory();
}

/** Says who has the folder. Nobody does when it is not there, or was left before anybody was let in. */
export async function ownerOf(folder: WorkspaceFolder): Promise<string | undefined> {
  return readFile(folder.owner, "utf8").catch(() => undefined);
}

async function readWorkspace(git: MirrorGit, repo: RepoName, place: string): Promise<Workspace> {
  const folder = git.layout.workspaceFolder(repo, place);
  const base = await readFile(folder.base, "utf8")
    .then(sha)
    .catch(() => NO_COMMIT);
  return { repo, id: (await ownerOf(folder)) ?? place, place, path: folder.tree, base };
}

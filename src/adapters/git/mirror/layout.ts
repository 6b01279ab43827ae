import { join } from "node:path";
import { nameOf, ownerOf, type RepoName, isRepoName } from "../../../domain/ids.ts";
import type { Aside } from "../../../ports/host.ts";
import { AppError } from "../../../shared/app-error.ts";
import { decodedName, foldersIn } from "../../host/folders.ts";

/** Says where one workspace keeps its things. The runner may see only `tree` and `repository`. */
export interface WorkspaceFolder {
  readonly root: string;
  readonly tree: string;
  /** The worktree's `.git` leads here. It holds the runner's own refs, configuration, stash and hooks, shared with nobody. */
  readonly repository: string;
  /** This is the app's index of the worktree as it was checked out, since the runner's own one is never trusted. */
  readonly index: string;
  readonly base: string;
  /** This file names the run or verification that has the folder. */
  readonly owner: string;
  /** This file says whether work of an earlier run was put into the worktree. It is absent until somebody wanted that. */
  readonly work: string;
  /** This file says how far the workspace is: it is absent while the workspace is made, then says `opened`, then `prepared`. */
  readonly stage: string;
  /** This file names the setup that the ignored files come from. It is written once they are there and before anybody touches them. */
  readonly setup: string;
}

export interface Layout {
  readonly home: string;
  readonly trash: string;
  readonly workspaces: string;
  readonly mirrors: string;
  readonly allSpares: string;
  readonly allSetups: string;
  /** Clean workspaces wait here to be used again. */
  spares(repo: RepoName): string;
  /** The results of setup commands are kept here, one folder per key. */
  setups(repo: RepoName): string;
  mirror(repo: RepoName): string;
  workspacesOf(repo: RepoName): string;
  workspaceFolder(repo: RepoName, place: string): WorkspaceFolder;
}

export function createLayout(dataDir: string): Layout {
  const [workspaces, mirrors] = [join(dataDir, "workspaces"), join(dataDir, "mirrors")];
  const [allSpares, allSetups] = [join(dataDir, "spares"), join(dataDir, "setups")];
  const below = (folder: string, repo: RepoName): string =>
    join(folder, ownerOf(repo), folderOf(nameOf(repo)));
  return {
    home: join(dataDir, "home"),
    trash: join(dataDir, "trash"),
    workspaces,
    mirrors,
    allSpares,
    allSetups,
    spares: (repo) => below(allSpares, repo),
    setups: (repo) => below(allSetups, repo),
    mirror: (repo) => `${below(mirrors, repo)}.git`,
    workspacesOf: (repo) => below(workspaces, repo),
    workspaceFolder: (repo, place) =>
      workspaceFolderAt(join(below(workspaces, repo), folderOf(place))),
  };
}

/** Names the folder where the runner's repository keeps HEAD, the index and the place of its worktree. */
export function runnerGitDir(folder: WorkspaceFolder): string {
  return join(folder.repository, "worktrees", "tree");
}

export function workspaceFolderAt(root: string): WorkspaceFolder {
  return {
    root,
    tree: join(root, "tree"),
    repository: join(root, "repository.git"),
    index: join(root, "index"),
    base: join(root, "base"),
    owner: join(root, "owner"),
    work: join(root, "work"),
    stage: join(root, "stage"),
    setup: join(root, "setup"),
  };
}

/** Lists the repositories that have a folder `<owner>/<name><ending>` below one of the layout's folders. */
export async function listRepos(
  folder: string,
  aside: Aside,
  ending = "",
): Promise<readonly RepoName[]> {
  const found: RepoName[] = [];
  const owners = await foldersIn(folder, { aside, read: ownerIn });
  for (const owner of owners) {
    const read = (name: string): RepoName | undefined => repoIn(owner, name, ending);
    found.push(...(await foldersIn(join(folder, owner), { aside, read })));
  }
  return found;
}

// A file name has at most 255 bytes on every file system that we know.
const MAX_NAME_BYTES = 255;

function folderOf(name: string): string {
  const folder = encodeURIComponent(name);
  if (folder === "" || folder === "." || folder === ".." || folder.length > MAX_NAME_BYTES)
    throw new AppError("git-failed", `not usable as a folder name: ${JSON.stringify(name)}`);
  return folder;
}

function ownerIn(name: string): string | undefined {
  return isRepoName(`${name}/any`) ? name : undefined;
}

function repoIn(owner: string, folder: string, ending: string): RepoName | undefined {
  if (!folder.endsWith(ending)) return undefined;
  const name = decodedName(folder.slice(0, folder.length - ending.length));
  const repo = `${owner}/${name ?? ""}`;
  return isRepoName(repo) ? repo : undefined;
}

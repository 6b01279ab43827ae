import { join } from "node:path";
import { nameOf, ownerOf, type RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";

/** Where one workspace keeps its things; only `tree` and `repository` are the runner's to see. */
export interface Slot {
  readonly root: string;
  /** The worktree. */
  readonly tree: string;
  /** The repository behind the worktree's `.git`: the runner's own refs, configuration, stash and hooks, shared with nobody. */
  readonly repository: string;
  /** The app's index of the worktree as it was checked out: the runner's own one is never trusted. */
  readonly index: string;
  readonly base: string;
  /** How far the workspace has come: absent while it is made, then `opened`, then `prepared`. */
  readonly stage: string;
  /** Which setup its ignored files come from; written when they were there and nobody had touched them. */
  readonly setup: string;
}

export interface Layout {
  readonly home: string;
  readonly trash: string;
  readonly workspaces: string;
  readonly mirrors: string;
  readonly allSpares: string;
  readonly allSetups: string;
  /** Clean workspaces that wait to be used again. */
  spares(repo: RepoName): string;
  /** What setup commands made, one folder per key. */
  setups(repo: RepoName): string;
  mirror(repo: RepoName): string;
  /** All workspaces of a repository. */
  slots(repo: RepoName): string;
  slot(repo: RepoName, id: string): Slot;
}

export function createLayout(dataDir: string): Layout {
  const [workspaces, mirrors] = [join(dataDir, "workspaces"), join(dataDir, "mirrors")];
  const [allSpares, allSetups] = [join(dataDir, "spares"), join(dataDir, "setups")];
  const below = (folder: string, repo: RepoName): string =>
    join(folder, ownerOf(repo), folderOf(nameOf(repo)));
  return {
    home: join(dataDir, "home"),
    trash: join(dataDir, "trash"),
    ...{ workspaces, mirrors, allSpares, allSetups },
    spares: (repo) => below(allSpares, repo),
    setups: (repo) => below(allSetups, repo),
    mirror: (repo) => `${below(mirrors, repo)}.git`,
    slots: (repo) => below(workspaces, repo),
    slot: (repo, id) => slotAt(join(below(workspaces, repo), folderOf(id))),
  };
}

/** What the runner's repository knows about its worktree: HEAD, index, and where the worktree is. */
export function runnerGitDir(slot: Slot): string {
  return join(slot.repository, "worktrees", "tree");
}

export function slotAt(root: string): Slot {
  return {
    root,
    tree: join(root, "tree"),
    repository: join(root, "repository.git"),
    index: join(root, "index"),
    base: join(root, "base"),
    stage: join(root, "stage"),
    setup: join(root, "setup"),
  };
}

// A file name has at most 255 bytes on every file system that we know.
const MAX_NAME_BYTES = 255;

function folderOf(name: string): string {
  const folder = encodeURIComponent(name);
  if (folder === "" || folder === "." || folder === ".." || folder.length > MAX_NAME_BYTES)
    throw new AppError("git-failed", `not usable as a folder name: ${JSON.stringify(name)}`);
  return folder;
}

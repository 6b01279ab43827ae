import { lstat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import type { WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { ownerOf } from "./workspace-places.ts";

/** An earlier run's workspace is saved and taken away when the run has ended. On large repositories that takes some seconds. */
const DEFAULT_MAX_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** Where so many folders of one task can be neither deleted nor moved, somebody has to look at the disk. */
const MAX_PLACES = 5;

interface Wanted {
  readonly repo: RepoName;
  readonly id: string;
  readonly place: string;
}

/** Puts aside what is in this place. Where it cannot be moved, the place is not used again. */
export async function clearPlace(git: MirrorGit, root: string, why: string): Promise<void> {
  if ((await git.aside.put(root, why)) !== undefined) return;
  const isThere = await lstat(root).then(
    () => true,
    () => false,
  );
  if (isThere) git.stuck.add(root);
}

/**
 * Takes a folder for this id and returns its place. Two never have it at the same time: as long as another one has it, in this process
 * or on disk, we wait, and after a while the folder is refused.
 */
export async function takePlace(git: MirrorGit, wanted: Wanted): Promise<string> {
  const { repo, id } = wanted;
  const { maxWaitMs = DEFAULT_MAX_WAIT_MS } = git.options;
  const looks = Math.ceil(maxWaitMs / LOOK_EVERY_MS);
  for (let look = 0; ; look += 1) {
    const place = await findPlace(git, wanted);
    const holder = await tryToTake(git, git.layout.workspaceFolder(repo, place), id);
    if (holder === undefined) return place;
    if (holder === id) throw alreadyOpen(id);
    if (look >= looks)
      throw new AppError(
        "git-failed",
        `cannot open workspace ${id}: ${holder} still has its folder`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}

export function alreadyOpen(id: string, cause?: unknown): AppError {
  return new AppError("git-failed", `cannot open workspace ${id}: it is open already`, { cause });
}

/** Finds where this id has its workspace, or may have one: in the wanted place, or beside it if what is there cannot be taken away. */
async function findPlace(git: MirrorGit, { repo, id, place }: Wanted): Promise<string> {
  const places = Array.from({ length: MAX_PLACES }, (_, n) =>
    n === 0 ? place : `${place}~${n + 1}`,
  );
  const folders = places.map((one) => git.layout.workspaceFolder(repo, one));
  const owners = await Promise.all(folders.map(ownerOf));
  const usable = places.filter((_, n) => !git.stuck.has(folders[n]?.root ?? ""));
  const found = usable.find((one) => owners[places.indexOf(one)] === id) ?? usable[0];
  if (found !== undefined) return found;
  const first = folders[0]?.root ?? place;
  throw new AppError(
    "git-failed",
    `cannot open workspace ${id}: ${first} and ${MAX_PLACES - 1} folders beside it can be neither deleted nor moved`,
  );
}

/** Returns who else has the folder, or undefined when it is taken for this id now. */
async function tryToTake(
  git: MirrorGit,
  folder: WorkspaceFolder,
  id: string,
): Promise<string | undefined> {
  const holder = git.opened.get(folder.root);
  if (holder !== undefined) return holder;
  // This comes before the look at the disk, so that two that look at the same time do not both take it.
  git.opened.set(folder.root, id);
  const owner = await ownerOf(folder);
  if (owner === undefined || owner === id) return undefined;
  git.opened.delete(folder.root);
  return owner;
}

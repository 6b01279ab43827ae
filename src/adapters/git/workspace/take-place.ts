import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../../shared/app-error.ts";
import type { WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { ownerOf } from "./workspace-places.ts";

/** An earlier run's workspace is saved and taken away when the run has ended. On large repositories that takes some seconds. */
const DEFAULT_MAX_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * Takes the folder for this id. Two never have it at the same time: as long as another one has it, in this process or on disk, we wait,
 * and after a while the folder is refused.
 */
export async function takePlace(
  git: MirrorGit,
  folder: WorkspaceFolder,
  id: string,
): Promise<void> {
  const { maxWaitMs = DEFAULT_MAX_WAIT_MS } = git.options;
  const looks = Math.ceil(maxWaitMs / LOOK_EVERY_MS);
  for (let look = 0; ; look += 1) {
    const holder = await tryToTake(git, folder, id);
    if (holder === undefined) return;
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

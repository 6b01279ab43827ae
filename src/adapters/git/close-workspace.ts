import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "../../ports/git.ts";
import { isMissing } from "./is-missing.ts";
import { slotAt } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { recycleSlot } from "./recycle-slot.ts";
import { removeFolder } from "./remove-folder.ts";
import { hasRoomForSpare, keepSpare } from "./spares.ts";

type Named = Pick<Workspace, "repo" | "id">;

/** Frees the id at once; the workspace is cleaned for the next run now, after use, so that opening it later costs almost nothing. */
export async function closeWorkspace(git: MirrorGit, workspace: Named): Promise<void> {
  const { repo } = workspace;
  const grave = await moveAway(git, workspace);
  const slot = slotAt(join(grave, "slot"));
  if (await hasRoomForSpare(git, repo)) {
    // What cannot be cleaned for whatever reason is deleted below: the next run starts from a fresh one.
    const base = await recycleSlot(git, slot, repo).catch(() => undefined);
    if (base !== undefined) await keepSpare(git, repo, { root: slot.root, base });
  }
  await removeFolder(grave);
}

export async function discardWorkspace(git: MirrorGit, workspace: Named): Promise<void> {
  await removeFolder(await moveAway(git, workspace));
}

/** Moved before it is deleted: a crash meanwhile leaves no half-deleted workspace. */
async function moveAway(git: MirrorGit, { repo, id }: Named): Promise<string> {
  await mkdir(git.layout.trash, { recursive: true });
  const grave = await mkdtemp(join(git.layout.trash, "closed-"));
  const { root } = git.layout.slot(repo, id);
  await rename(root, join(grave, "slot")).catch((error: unknown) => {
    // Closing twice is harmless.
    if (!isMissing(error)) throw error;
  });
  git.opened.delete(root);
  return grave;
}

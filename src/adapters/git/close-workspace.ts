import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { codeOf } from "../aside.ts";
import { isMissing } from "./is-missing.ts";
import { slotAt, type Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { recycleSlot } from "./recycle-slot.ts";
import { hasRoomForSpare, keepSpare } from "./spares.ts";

type Named = Pick<Workspace, "repo" | "id">;

/** Frees the id at once; the workspace is cleaned for the next run now, after use, so that opening it later costs almost nothing. */
export async function closeWorkspace(git: MirrorGit, workspace: Named): Promise<void> {
  const { repo } = workspace;
  const grave = await moveAway(git, workspace);
  const slot = slotAt(join(grave, "slot"));
  // What cannot be cleaned or kept for whatever reason is deleted below: the next run starts from a fresh one.
  await makeSpare(git, repo, slot).catch(() => undefined);
  await git.aside.remove(grave);
}

async function makeSpare(git: MirrorGit, repo: RepoName, slot: Slot): Promise<void> {
  if (!(await hasRoomForSpare(git, repo))) return;
  const base = await recycleSlot(git, slot, repo);
  await keepSpare(git, repo, { root: slot.root, base });
}

export async function discardWorkspace(git: MirrorGit, workspace: Named): Promise<void> {
  await git.aside.remove(await moveAway(git, workspace));
}

/** What can be neither used nor saved is kept as it is. */
export async function putWorkspaceAside(
  git: MirrorGit,
  { repo, id }: Named,
  why: string,
): Promise<void> {
  const { root } = git.layout.slot(repo, id);
  await git.aside.put(root, why);
  git.opened.delete(root);
}

/** Moved before it is deleted: a crash meanwhile leaves no half-deleted workspace. */
async function moveAway(git: MirrorGit, { repo, id }: Named): Promise<string> {
  await mkdir(git.layout.trash, { recursive: true });
  const grave = await mkdtemp(join(git.layout.trash, "closed-"));
  const { root } = git.layout.slot(repo, id);
  await rename(root, join(grave, "slot")).catch((error: unknown) => {
    // Closing twice is harmless.
    if (isMissing(error)) return undefined;
    return git.aside.put(root, `it cannot be taken away (${codeOf(error)})`);
  });
  git.opened.delete(root);
  git.fresh.delete(root);
  return grave;
}

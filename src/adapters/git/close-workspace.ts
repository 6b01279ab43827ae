import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "../../ports/git.ts";
import { isMissing } from "./is-missing.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { removeFolder } from "./remove-folder.ts";

/** Moved away first: the id is free at once, and a crash while deleting leaves no half-deleted workspace. */
export async function closeWorkspace(
  git: MirrorGit,
  workspace: Pick<Workspace, "repo" | "id">,
): Promise<void> {
  const { root } = git.layout.slot(workspace.repo, workspace.id);
  await mkdir(git.layout.trash, { recursive: true });
  const grave = await mkdtemp(join(git.layout.trash, "closed-"));
  await rename(root, join(grave, "slot")).catch(ignoreMissing);
  await removeFolder(grave);
}

function ignoreMissing(error: unknown): void {
  // Closing twice is harmless.
  if (!isMissing(error)) throw error;
}

import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName } from "../../../domain/ids.ts";
import type { Workspace } from "../../../ports/git.ts";
import { codeOf, isMissing } from "../../host/file-errors.ts";
import { workspaceFolderAt, type WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { recycleFolder } from "./recycle-folder.ts";
import { hasRoomForSpare, keepSpare } from "./spares.ts";
import { clearPlace } from "./take-place.ts";
import { ownerOf } from "./workspace-places.ts";

type Named = Pick<Workspace, "repo" | "id" | "place">;

/** Frees the folder's name at once, then cleans the workspace for the next run: done now, it makes opening it later cost almost nothing. */
export async function closeWorkspace(git: MirrorGit, workspace: Named): Promise<void> {
  const { repo } = workspace;
  const grave = await moveAway(git, workspace).finally(() => release(git, workspace));
  const folder = workspaceFolderAt(join(grave, "folder"));
  // A workspace that cannot be cleaned or kept, for whatever reason, is deleted below: the next run starts from a fresh one.
  await makeSpare(git, repo, folder).catch(() => undefined);
  await git.aside.remove(grave);
}

async function makeSpare(git: MirrorGit, repo: RepoName, folder: WorkspaceFolder): Promise<void> {
  if (!(await hasRoomForSpare(git, repo))) return;
  const base = await recycleFolder(git, folder, repo);
  await keepSpare(git, repo, { root: folder.root, base });
}

/** Deletes the workspace. Whoever opened it still has its name, and nobody else can take that meanwhile. */
export async function discardWorkspace(git: MirrorGit, workspace: Named): Promise<void> {
  await git.aside.remove(await moveAway(git, workspace));
}

/** Keeps a workspace that can be neither used nor saved as it is. */
export async function putWorkspaceAside(
  git: MirrorGit,
  workspace: Named,
  why: string,
): Promise<void> {
  const { root } = git.layout.workspaceFolder(workspace.repo, workspace.place);
  try {
    await clearPlace(git, root, why);
  } finally {
    release(git, workspace);
  }
}

/** Moves the workspace before it is deleted, so a crash meanwhile leaves no half-deleted one. */
async function moveAway(git: MirrorGit, { repo, id, place }: Named): Promise<string> {
  await mkdir(git.layout.trash, { recursive: true });
  const grave = await mkdtemp(join(git.layout.trash, "closed-"));
  const folder = git.layout.workspaceFolder(repo, place);
  // Closing twice is harmless, even when another workspace has the folder by now.
  if (((await ownerOf(folder)) ?? id) !== id) return grave;
  await rename(folder.root, join(grave, "folder")).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    return clearPlace(git, folder.root, `it cannot be taken away (${codeOf(error)})`);
  });
  git.fresh.delete(folder.root);
  return grave;
}

function release(git: MirrorGit, { repo, id, place }: Named): void {
  const { root } = git.layout.workspaceFolder(repo, place);
  if (git.opened.get(root) === id) git.opened.delete(root);
}

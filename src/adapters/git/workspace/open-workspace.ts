import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSha, sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Workspace } from "../../../ports/git.ts";
import { AppError } from "../../../shared/app-error.ts";
import { codeOf, isMissing } from "../../host/file-errors.ts";
import { fetchContent } from "../lfs/fetch-content.ts";
import { leftPointers } from "../lfs/left-pointers.ts";
import { runnerGitDir, type WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { discardWorkspace } from "./close-workspace.ts";
import { checkOut, fillFolder, giveIndex, linkWorktree } from "./fill-folder.ts";
import { recycleFolder } from "./recycle-folder.ts";
import { textOf } from "./setup-template.ts";
import { listSpares, type Spare } from "./spares.ts";
import { alreadyOpen, clearPlace, takePlace } from "./take-place.ts";
import { ownerOf } from "./workspace-places.ts";

interface OpenRequest {
  readonly repo: RepoName;
  readonly id: string;
  readonly place: string;
  readonly base: Sha;
  readonly fresh?: boolean;
}

export async function openWorkspace(
  git: MirrorGit,
  wanted: Omit<OpenRequest, "place"> & { readonly place?: string },
): Promise<Workspace> {
  const asked = { place: wanted.id, ...wanted };
  const request = { ...asked, place: await takePlace(git, asked) };
  const folder = git.layout.workspaceFolder(request.repo, request.place);
  try {
    const taken = await takeOver(git, folder, request);
    if (taken !== undefined) return taken;
    if (!git.stuck.has(folder.root)) return await openAnew(git, folder, request);
  } catch (cause) {
    git.opened.delete(folder.root);
    throw cause;
  }
  git.opened.delete(folder.root);
  return openWorkspace(git, wanted);
}

/**
 * Replaces this worktree by one in which nobody ever worked. A cleaned one is not enough: a runner may have handed a folder or file
 * that it had opened to another runner, which can write there as long as it lives.
 */
export async function renewWorkspace(git: MirrorGit, workspace: Workspace): Promise<void> {
  const folder = git.layout.workspaceFolder(workspace.repo, workspace.place);
  if (git.fresh.has(folder.root)) return;
  await discardWorkspace(git, workspace);
  await openAnew(git, folder, { ...workspace, fresh: true });
}

/** Takes over the workspace that an earlier process left; one that it had not finished making is thrown away. */
async function takeOver(
  git: MirrorGit,
  folder: WorkspaceFolder,
  request: OpenRequest,
): Promise<Workspace | undefined> {
  const base = await textOf(folder.base);
  if (base === undefined) return undefined;
  const { repo, id, place, fresh } = request;
  const isWhole = (await textOf(folder.stage)) !== undefined;
  const oddity = isWhole ? await oddityOf(folder, { base, id }) : undefined;
  if (isWhole && oddity === undefined && fresh !== true)
    return { repo, id, place, base: sha(base), path: folder.tree };
  if (oddity === undefined || fresh === true) await discardWorkspace(git, request);
  else await clearPlace(git, folder.root, oddity);
  return undefined;
}

/** Says why nobody can go on with the work in a whole workspace. */
async function oddityOf(
  folder: WorkspaceFolder,
  { base, id }: { readonly base: string; readonly id: string },
): Promise<string | undefined> {
  if (!isSha(base)) return "nobody knows what its work began from";
  return (await ownerOf(folder)) === id ? undefined : "nobody knows whose work it is";
}

async function openAnew(
  git: MirrorGit,
  folder: WorkspaceFolder,
  request: OpenRequest,
): Promise<Workspace> {
  const { repo, id, place, base } = request;
  const lacking = await fetchContent(git, repo, base);
  const found = lacking.length === 0 ? {} : { lacking };
  const workspace = { repo, id, place, base, path: folder.tree, ...found };
  await mkdir(dirname(folder.root), { recursive: true });
  const spare = request.fresh === true ? undefined : await moveSpareTo(git, folder, request);
  if (spare === undefined) await claimFolder(git, folder, request);
  try {
    if (spare === undefined) await makeFresh(git, folder, request);
    else await adaptSpare(git, folder, { spare, request });
    await writeFile(folder.stage, "opened");
    if (spare === undefined) git.fresh.add(folder.root);
  } catch (cause) {
    await discardWorkspace(git, workspace);
    if (spare === undefined) throw cause;
    // The spare was no good and is gone now. If anything else is wrong, it shows again with the next spare or without one.
    return openAnew(git, folder, request);
  }
  return workspace;
}

/** Takes a spare by renaming it, which can succeed only once: two that open at the same time never get the same spare. */
async function moveSpareTo(
  git: MirrorGit,
  folder: WorkspaceFolder,
  { repo, id, base }: OpenRequest,
): Promise<Spare | undefined> {
  for (const spare of await listSpares(git, repo, base)) {
    const moved = await rename(spare.root, folder.root).then(
      () => true,
      async (cause: unknown) => {
        if (isTaken(cause)) throw alreadyOpen(id, cause);
        // This one is gone already or cannot be moved; there may be others.
        if (!isMissing(cause))
          await git.aside.put(spare.root, `it cannot be moved (${codeOf(cause)})`);
        return false;
      },
    );
    if (moved) return spare;
  }
  return undefined;
}

async function adaptSpare(
  git: MirrorGit,
  folder: WorkspaceFolder,
  { spare, request }: { readonly spare: Spare; readonly request: OpenRequest },
): Promise<void> {
  if (!git.cleaned.delete(spare.root)) await recycleFolder(git, folder, request.repo);
  await writeFile(folder.owner, request.id);
  await linkWorktree(folder);
  const isReady = spare.base === request.base;
  if (isReady && (await leftPointers(git, folder.tree, request)).length === 0) return;
  await checkOut(git, folder, request);
  await giveIndex(folder);
  await writeFile(join(runnerGitDir(folder), "HEAD"), `${request.base}\n`);
  await writeFile(folder.base, request.base);
}

/** Makes the workspace's folder appear with its base already in it, so a crash at any later moment leaves one that can be listed. */
async function claimFolder(
  git: MirrorGit,
  folder: WorkspaceFolder,
  { id, base }: OpenRequest,
): Promise<void> {
  await mkdir(git.layout.trash, { recursive: true });
  const fresh = await mkdtemp(join(git.layout.trash, "folder-"));
  await writeFile(join(fresh, "base"), base);
  await writeFile(join(fresh, "owner"), id);
  await rename(fresh, folder.root).catch((cause: unknown) => {
    if (isTaken(cause)) throw alreadyOpen(id, cause);
    throw new AppError("git-failed", `cannot open workspace ${id}`, { cause });
  });
}

async function makeFresh(
  git: MirrorGit,
  folder: WorkspaceFolder,
  request: OpenRequest,
): Promise<void> {
  await mkdir(folder.tree);
  await fillFolder(git, folder, request);
}

/** Tells whether the rename failed because a folder with something in it is already in that place. */
function isTaken(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST"].includes(codeOf(error));
}

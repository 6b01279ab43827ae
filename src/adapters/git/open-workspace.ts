import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSha, type RepoName, type Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";
import { codeOf } from "../aside.ts";
import { checkOut } from "./check-out.ts";
import { discardWorkspace } from "./close-workspace.ts";
import { fillSlot } from "./fill-slot.ts";
import { isMissing } from "./is-missing.ts";
import { runnerGitDir, type Slot } from "./layout.ts";
import { giveIndex, linkWorktree } from "./make-repository.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { recycleSlot } from "./recycle-slot.ts";
import { textOf } from "./setup-template.ts";
import { listSpares, type Spare } from "./spares.ts";

interface OpenRequest {
  readonly repo: RepoName;
  readonly id: string;
  readonly base: Sha;
  readonly fresh?: boolean;
}

export async function openWorkspace(git: MirrorGit, request: OpenRequest): Promise<Workspace> {
  const slot = git.layout.slot(request.repo, request.id);
  if (git.opened.has(slot.root)) throw alreadyOpen(request.id);
  git.opened.add(slot.root);
  try {
    return (await takeOver(git, slot, request)) ?? (await openAnew(git, slot, request));
  } catch (cause) {
    git.opened.delete(slot.root);
    throw cause;
  }
}

/**
 * Puts a worktree in place of this one in which nobody ever was. A clean one is not enough: a runner may have handed a folder or
 * file that it had opened to another one, which can write there as long as it lives.
 */
export async function renewWorkspace(git: MirrorGit, workspace: Workspace): Promise<void> {
  const slot = git.layout.slot(workspace.repo, workspace.id);
  if (git.fresh.has(slot.root)) return;
  await discardWorkspace(git, workspace);
  git.opened.add(slot.root);
  await openAnew(git, slot, { ...workspace, fresh: true });
}

/** The workspace that an earlier process left; one that it had not finished making is thrown away. */
async function takeOver(
  git: MirrorGit,
  slot: Slot,
  request: OpenRequest,
): Promise<Workspace | undefined> {
  const base = await textOf(slot.base);
  if (base === undefined) return undefined;
  const { repo, id, fresh } = request;
  const isWhole = (await textOf(slot.stage)) !== undefined;
  if (isWhole && isSha(base) && fresh !== true) return { repo, id, base, path: slot.tree };
  if (isWhole && !isSha(base))
    await git.aside.put(slot.root, "nobody knows what its work began from");
  else await discardWorkspace(git, request);
  git.opened.add(slot.root);
  return undefined;
}

async function openAnew(git: MirrorGit, slot: Slot, request: OpenRequest): Promise<Workspace> {
  const { repo, id, base } = request;
  const workspace = { repo, id, base, path: slot.tree };
  await mkdir(dirname(slot.root), { recursive: true });
  const spare = request.fresh === true ? undefined : await moveSpareTo(git, slot, request);
  if (spare === undefined) await claimSlot(git, slot, request);
  try {
    if (spare === undefined) await makeFresh(git, slot, request);
    else await adaptSpare(git, slot, { spare, request });
    await writeFile(slot.stage, "opened");
    if (spare === undefined) git.fresh.add(slot.root);
  } catch (cause) {
    await discardWorkspace(git, workspace);
    if (spare === undefined) throw cause;
    // The spare was no good, and is gone; anything else that is wrong shows again with the next one, or with none.
    git.opened.add(slot.root);
    return openAnew(git, slot, request);
  }
  return workspace;
}

/** A rename takes a spare or fails: two that open at the same time never get the same one. */
async function moveSpareTo(
  git: MirrorGit,
  slot: Slot,
  { repo, id, base }: OpenRequest,
): Promise<Spare | undefined> {
  for (const spare of await listSpares(git, repo, base)) {
    const moved = await rename(spare.root, slot.root).then(
      () => true,
      async (cause: unknown) => {
        if (isTaken(cause)) throw alreadyOpen(id, cause);
        // Gone already, or nobody may move it: there are others.
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
  slot: Slot,
  { spare, request }: { readonly spare: Spare; readonly request: OpenRequest },
): Promise<void> {
  if (!git.cleaned.delete(spare.root)) await recycleSlot(git, slot, request.repo);
  await linkWorktree(slot);
  if (spare.base === request.base) return;
  await checkOut(git, slot, request);
  await giveIndex(slot);
  await writeFile(join(runnerGitDir(slot), "HEAD"), `${request.base}\n`);
  await writeFile(slot.base, request.base);
}

/** A workspace's folder appears at once with its base in it: a crash at any later moment leaves one that can be listed. */
async function claimSlot(git: MirrorGit, slot: Slot, { id, base }: OpenRequest): Promise<void> {
  await mkdir(git.layout.trash, { recursive: true });
  const fresh = await mkdtemp(join(git.layout.trash, "slot-"));
  await writeFile(join(fresh, "base"), base);
  await rename(fresh, slot.root).catch((cause: unknown) => {
    if (isTaken(cause)) throw alreadyOpen(id, cause);
    throw new AppError("git-failed", `cannot open workspace ${id}`, { cause });
  });
}

async function makeFresh(git: MirrorGit, slot: Slot, request: OpenRequest): Promise<void> {
  await mkdir(slot.tree);
  await fillSlot(git, slot, request);
}

/** A folder with something in it is where the workspace belongs. */
function isTaken(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST"].includes(codeOf(error));
}

function alreadyOpen(id: string, cause?: unknown): AppError {
  return new AppError("git-failed", `cannot open workspace ${id}: it is open already`, { cause });
}

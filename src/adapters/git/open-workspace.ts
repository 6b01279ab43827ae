import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";
import { checkOut } from "./check-out.ts";
import { discardWorkspace } from "./close-workspace.ts";
import { fillSlot } from "./fill-slot.ts";
import { isMissing } from "./is-missing.ts";
import { runnerGitDir, type Slot } from "./layout.ts";
import { giveIndex, linkWorktree } from "./make-repository.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { textOf } from "./setup-template.ts";
import { listSpares, type Spare } from "./spares.ts";

interface OpenRequest {
  readonly repo: RepoName;
  readonly id: string;
  readonly base: Sha;
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

/** The workspace that an earlier process left; one that it had not finished making is thrown away. */
async function takeOver(
  git: MirrorGit,
  slot: Slot,
  request: OpenRequest,
): Promise<Workspace | undefined> {
  const base = await textOf(slot.base);
  if (base === undefined) return undefined;
  if ((await textOf(slot.stage)) !== undefined)
    return { ...request, base: sha(base), path: slot.tree };
  await discardWorkspace(git, request);
  git.opened.add(slot.root);
  return undefined;
}

async function openAnew(git: MirrorGit, slot: Slot, request: OpenRequest): Promise<Workspace> {
  const workspace = { ...request, path: slot.tree };
  await mkdir(dirname(slot.root), { recursive: true });
  const spare = await moveSpareTo(git, slot, request);
  if (spare === undefined) await claimSlot(git, slot, request);
  try {
    if (spare === undefined) await makeFresh(git, slot, request);
    else await adaptSpare(git, slot, { spare, request });
    await writeFile(slot.stage, "opened");
  } catch (cause) {
    await discardWorkspace(git, workspace);
    throw cause;
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
      (cause: unknown) => {
        if (isMissing(cause)) return false;
        throw alreadyOpen(id, cause);
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
    throw alreadyOpen(id, cause);
  });
}

async function makeFresh(git: MirrorGit, slot: Slot, request: OpenRequest): Promise<void> {
  await mkdir(slot.tree);
  await fillSlot(git, slot, request);
}

function alreadyOpen(id: string, cause?: unknown): AppError {
  return new AppError("git-failed", `cannot open workspace ${id}: it is open already`, { cause });
}

import { appendFile, mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepoName, Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";
import { closeWorkspace } from "./close-workspace.ts";
import { copyIndex } from "./copy-index.ts";
import { initBare } from "./ensure-mirror.ts";
import { runnerIndex, type Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Agents that commit by themselves need some identity; the app's own commits never use this one. */
const RUNNER_CONFIG = `[user]\n\tname = wavetrain runner\n\temail = runner@wavetrain.invalid\n`;

export async function openWorkspace(
  git: MirrorGit,
  request: { readonly repo: RepoName; readonly id: string; readonly base: Sha },
): Promise<Workspace> {
  const slot = git.layout.slot(request.repo, request.id);
  const workspace = { ...request, path: slot.tree };
  await claimSlot(git, slot, request);
  try {
    await makeRepository(git, slot, request);
    await checkOut(git, slot, request);
  } catch (cause) {
    await closeWorkspace(git, workspace);
    throw cause;
  }
  return workspace;
}

/** A workspace's folder appears at once with its base in it, so that a crash at any later moment leaves one that can be listed. */
async function claimSlot(git: MirrorGit, slot: Slot, { id, base }: Pick<Workspace, "id" | "base">) {
  await mkdir(git.layout.trash, { recursive: true });
  await mkdir(dirname(slot.root), { recursive: true });
  const fresh = await mkdtemp(join(git.layout.trash, "slot-"));
  await writeFile(join(fresh, "base"), base);
  await rename(fresh, slot.root).catch((cause: unknown) => {
    throw new AppError("git-failed", `cannot open workspace ${id}: it is open already`, { cause });
  });
}

/**
 * The worktree belongs to a repository of its own that borrows the mirror's objects. Worktrees of one common repository would
 * share configuration, stash, branches and hooks with their neighbours and with the app, which sends its token there.
 */
async function makeRepository(
  git: MirrorGit,
  slot: Slot,
  { repo, base }: Pick<Workspace, "repo" | "base">,
): Promise<void> {
  await initBare(git, repo, slot.repository);
  await mkdir(join(slot.repository, "objects", "info"), { recursive: true });
  const objects = join(git.layout.mirror(repo), "objects");
  await writeFile(join(slot.repository, "objects", "info", "alternates"), `${objects}\n`);
  await appendFile(join(slot.repository, "config"), RUNNER_CONFIG);
  await git.expect({
    repo,
    args: ["worktree", "add", "--no-checkout", "--detach", slot.tree, base],
    env: { GIT_DIR: slot.repository },
  });
}

async function checkOut(
  git: MirrorGit,
  slot: Slot,
  { repo, base }: Pick<Workspace, "repo" | "base">,
): Promise<void> {
  await git.expect({
    repo,
    args: ["read-tree", "--reset", "-u", base],
    env: { GIT_WORK_TREE: slot.tree, GIT_INDEX_FILE: slot.index },
  });
  await copyIndex(slot.index, runnerIndex(slot));
}

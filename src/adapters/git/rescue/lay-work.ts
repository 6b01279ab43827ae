import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { LaidWork, SavedWork, Workspace } from "../../../ports/git.ts";
import { mergeTrees } from "../candidate/merge-trees.ts";
import { filterConfig } from "../lfs/git-lfs.ts";
import type { WorkspaceFolder } from "../mirror/layout.ts";
import { findCommit, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { copyIndex } from "../workspace/fill-folder.ts";
import { textOf } from "../workspace/setup-template.ts";
import { assertInPlace } from "../workspace/workspace-places.ts";
import { rescueRef } from "./rescue-refs.ts";

/** The work comes out of the mirror, never out of a folder that a runner had open. What git ignores is not part of it. */
export async function layWork(
  git: MirrorGit,
  workspace: Workspace,
  saved: readonly SavedWork[],
): Promise<LaidWork> {
  const folder = git.layout.workspaceFolder(workspace.repo, workspace.place);
  const answered = await textOf(folder.work);
  if (isAnswer(answered)) return answered;
  await assertInPlace(git.layout, folder);
  const merged = await treeWithWork(git, workspace, saved);
  if (merged.kind === "laid") {
    await writeFile(folder.work, LAYING);
    await writeFiles(git, { workspace, folder, tree: merged.tree });
  }
  await writeFile(folder.work, merged.kind);
  return merged.kind;
}

/** Half of the work may be among the files: nobody has been let in yet, and the whole is safe under the name of its own run. */
export const LAYING = "laying";

function isAnswer(text: string | undefined): text is LaidWork {
  return text === "laid" || text === "conflict" || text === "none";
}

type MergedWork =
  { readonly kind: "laid"; readonly tree: Sha } | { readonly kind: Exclude<LaidWork, "laid"> };

const NONE: MergedWork = { kind: "none" };

/** Merges the work with what happened to the base since it began. */
async function treeWithWork(
  git: MirrorGit,
  { repo, base }: Workspace,
  saved: readonly SavedWork[],
): Promise<MergedWork> {
  const found = await firstOf(git, repo, saved);
  if (found === undefined) return NONE;
  if (found.parents[0] === base) return { kind: "laid", tree: found.tree };
  const merged = await mergeTrees(git, { repo, ours: base, theirs: found.commit });
  if (merged.kind !== "merged") return { kind: "conflict" };
  const { tree } = await readCommit(git, repo, base);
  return merged.tree === tree ? NONE : { kind: "laid", tree: merged.tree };
}

async function firstOf(
  git: MirrorGit,
  repo: RepoName,
  saved: readonly SavedWork[],
): ReturnType<typeof findCommit> {
  for (const { id, since } of saved) {
    const found = await findCommit(git, repo, rescueRef(id));
    // A store that was lost counts attempts anew: the same name may hold work from long ago. Git counts in seconds.
    if (found !== undefined && found.committedAt >= Math.floor(since / 1000)) return found;
  }
  return undefined;
}

/** Neither the app's index nor the runner's learns of it: both still tell the base, so the work shows as a change that is not committed. */
async function writeFiles(
  git: MirrorGit,
  at: { readonly workspace: Workspace; readonly folder: WorkspaceFolder; readonly tree: Sha },
): Promise<void> {
  const { workspace, folder, tree } = at;
  const index = join(folder.root, `index-${randomUUID()}`);
  try {
    await copyIndex(folder.index, index);
    await git.expect({
      repo: workspace.repo,
      args: ["read-tree", "--reset", "-u", tree],
      env: { GIT_WORK_TREE: folder.tree, GIT_INDEX_FILE: index },
      config: await filterConfig(git, workspace.repo),
    });
  } finally {
    await rm(index, { force: true });
  }
}

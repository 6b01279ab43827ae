import { lstat, readFile, rm } from "node:fs/promises";
import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import { fillSlot } from "./fill-slot.ts";
import type { Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { pruneTree } from "./prune-tree.ts";
import { removeFolder } from "./remove-folder.ts";
import { fillFromTemplate, templateOf, untouchedSince } from "./setup-template.ts";

/**
 * Brings a used workspace back to its base, with a new repository behind it, and returns the base. Of ignored files only those
 * stay that setup made and nobody touched since: what one run left must not be found by the next.
 */
export async function recycleSlot(git: MirrorGit, slot: Slot, repo: RepoName): Promise<Sha> {
  const base = sha(await readFile(slot.base, "utf8"));
  if (!(await lstat(slot.tree)).isDirectory()) throw new Error("the worktree was replaced");
  await removeFolder(slot.repository);
  const { mtimeMs } = await lstat(slot.index);
  const tracked = { files: await trackedFiles(git, slot, repo), since: mtimeMs };
  const template = await templateOf(git, slot, repo);
  const made = template === undefined ? [] : [await untouchedSince(template, slot)];
  for (const note of [slot.stage, slot.setup]) await rm(note, { force: true });
  await pruneTree(slot.tree, [tracked, ...made]);
  await fillSlot(git, slot, { repo, base });
  if (template !== undefined) await fillFromTemplate(template, slot);
  return base;
}

async function trackedFiles(
  git: MirrorGit,
  slot: Slot,
  repo: RepoName,
): Promise<readonly string[]> {
  const listed = await git.expect({
    repo,
    args: ["ls-files", "-z", "--stage"],
    env: { GIT_INDEX_FILE: slot.index },
  });
  return listed
    .split("\0")
    .filter((entry) => entry !== "" && !entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
}

import type { Dirent } from "node:fs";
import { lstat, readdir, rm, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import { removeFolder } from "../../host/folders.ts";
import type { WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { fillFolder } from "./fill-folder.ts";
import { fillFromTemplate, templateOf, untouchedSince, type Untouched } from "./setup-template.ts";

/**
 * Brings a used workspace back to its base, with a new repository behind it, and returns the base. An ignored file stays only when
 * setup made it and nobody touched it since: the next run must not find files that this one left.
 */
export async function recycleFolder(
  git: MirrorGit,
  folder: WorkspaceFolder,
  repo: RepoName,
): Promise<Sha> {
  const base = sha(await readFile(folder.base, "utf8"));
  if (!(await lstat(folder.tree)).isDirectory()) throw new Error("the worktree was replaced");
  await removeFolder(folder.repository);
  const { mtimeMs } = await lstat(folder.index);
  const tracked = { files: await trackedFiles(git, folder, repo), since: mtimeMs };
  const template = await templateOf(git, folder, repo);
  const made = template === undefined ? [] : [await untouchedSince(template, folder)];
  for (const note of [folder.stage, folder.setup, folder.owner, folder.work])
    await rm(note, { force: true });
  await pruneTree(folder.tree, [tracked, ...made]);
  await fillFolder(git, folder, { repo, base });
  if (template !== undefined) await fillFromTemplate(template, folder);
  return base;
}

async function trackedFiles(
  git: MirrorGit,
  folder: WorkspaceFolder,
  repo: RepoName,
): Promise<readonly string[]> {
  const listed = await git.expect({
    repo,
    args: ["ls-files", "-z", "--stage"],
    env: { GIT_INDEX_FILE: folder.index },
  });
  return listed
    .split("\0")
    .filter((entry) => entry !== "" && !entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
}

/**
 * Deletes everything below `root` except files of the sets that nobody touched, and the folders that hold them. It is stricter than
 * `git clean`, which skips whatever is called `.git`: left in a folder, that would be the repository of whoever works there next.
 * It is also stricter than git's own look at a file, which sees neither its other names nor most of its mode.
 */
async function pruneTree(root: string, sets: readonly Untouched[]): Promise<void> {
  const known = sinceByFile(sets);
  const folders = foldersOf(known.keys());
  const isUntouched = async (path: string): Promise<boolean> => {
    const since = known.get(path);
    return since !== undefined && (await lstat(join(root, path))).ctimeMs <= since;
  };
  const prune = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    await Promise.all(entries.map((entry) => pruneEntry(entry, join(folder, entry.name))));
  };
  const pruneEntry = async (entry: Dirent, path: string): Promise<void> => {
    if (path.includes("\uFFFD")) throw new Error("a file name that is not UTF-8");
    if (!entry.isDirectory() && (await isUntouched(path))) return;
    if (entry.isDirectory() && folders.has(path)) await prune(path);
    else await rm(join(root, path), { recursive: true, force: true });
  };
  await prune("");
}

/** A file that is in two sets is judged by the first. */
function sinceByFile(sets: readonly Untouched[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const { files, since } of sets)
    for (const file of files) if (!known.has(file)) known.set(file, since);
  return known;
}

function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files)
    for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  return folders;
}

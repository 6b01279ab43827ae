import { mkdir, mkdtemp, writeFile, lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Workspace } from "../../../ports/git.ts";
import { removeFolder } from "../../host/folders.ts";
import { initBare } from "../mirror/ensure-mirror.ts";
import { runnerGitDir, type WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

export interface Adopted {
  /** These are in the mirror now. Together with their ancestors they are all that the runner committed. */
  readonly commits: readonly Sha[];
  /** The runner's branches name these, but they are damaged or incomplete. */
  readonly lost: readonly Sha[];
}

/** This repository is ours and only borrows the runner's objects, so that git reads no setting of the runner's. */
interface QuarantineRepo {
  readonly git: MirrorGit;
  readonly repo: RepoName;
  readonly path: string;
}

interface RunnerCommits {
  /** The runner's branches, stash, HEAD and reflog name these commits; nothing says that they exist. */
  readonly named: readonly Sha[];
  /** Their objects are in these folders. */
  readonly objects: readonly string[];
}

// A runner has a handful of each; more are not worth waiting for.
const MAX_FILES = 1000;
const MAX_FILE_BYTES = 1 << 20;
const MAX_COMMITS = 100;

/** Brings commits that the runner made by itself into the mirror; git checks every object on the way. */
export async function adoptCommits(git: MirrorGit, workspace: Workspace): Promise<Adopted> {
  const { repo, base } = workspace;
  const { named, objects } = await readRunnerCommits(
    git.layout.workspaceFolder(repo, workspace.place),
  );
  if (named.every((commit) => commit === base)) return { commits: [], lost: [] };
  await mkdir(git.layout.trash, { recursive: true });
  const passage = { git, repo, path: await mkdtemp(join(git.layout.trash, "passage-")) };
  try {
    await openPassage(passage, objects);
    const tips = await tipsOf(passage, await existingCommits(passage, named), base);
    const arrived = await Promise.all(tips.map((tip) => fetchCommit(passage, tip)));
    return {
      commits: tips.filter((_tip, index) => arrived[index]),
      lost: tips.filter((_tip, index) => !arrived[index]),
    };
  } finally {
    await removeFolder(passage.path);
  }
}

/** Reads the runner's own repository as plain files: git would obey what the runner configured there. */
async function readRunnerCommits(folder: WorkspaceFolder): Promise<RunnerCommits> {
  const own = join(folder.tree, ".git");
  const places = [folder.repository, runnerGitDir(folder), ...((await isFolder(own)) ? [own] : [])];
  const found = await Promise.all(places.map(namedIn));
  return {
    named: [...new Set(found.flat())].slice(0, MAX_COMMITS),
    objects: places.map((place) => join(place, "objects")),
  };
}

async function namedIn(place: string): Promise<readonly Sha[]> {
  const refs = await filesBelow(join(place, "refs"));
  const files = ["HEAD", "logs/HEAD", "packed-refs"].map((name) => join(place, name));
  const texts = await Promise.all([...files, ...refs].map(readPlainFile));
  return texts.flatMap((text) => text.match(/\b[0-9a-f]{40}\b/g) ?? []).map(sha);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .slice(0, MAX_FILES)
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns an empty text when the file is missing, too large or no plain file: reading a pipe would never end. */
async function readPlainFile(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || !stats.isFile() || stats.size > MAX_FILE_BYTES) return "";
  return readFile(path, "utf8");
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function openPassage(passage: QuarantineRepo, objects: readonly string[]): Promise<void> {
  const { git, repo, path } = passage;
  await initBare(git, repo, path);
  await mkdir(join(path, "objects", "info"), { recursive: true });
  const borrowed = [join(git.layout.mirror(repo), "objects"), ...objects];
  await writeFile(join(path, "objects", "info", "alternates"), `${borrowed.join("\n")}\n`);
}

async function existingCommits(
  passage: QuarantineRepo,
  named: readonly Sha[],
): Promise<readonly Sha[]> {
  const checked = await passage.git.expect({
    repo: passage.repo,
    args: ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
    env: { GIT_DIR: passage.path },
    input: `${named.join("\n")}\n`,
  });
  return checked
    .split("\n")
    .filter((line) => line.startsWith("commit "))
    .map((line) => sha(line.slice("commit ".length)));
}

/** Returns the commits that are neither in the history of the base nor of another one, or all of them when the history has holes. */
async function tipsOf(
  passage: QuarantineRepo,
  commits: readonly Sha[],
  base: Sha,
): Promise<readonly Sha[]> {
  const independent = await passage.git.run({
    repo: passage.repo,
    args: ["merge-base", "--independent", base, ...commits],
    env: { GIT_DIR: passage.path },
  });
  const tips = independent.code === 0 ? independent.stdout.split("\n") : commits;
  return tips.filter((tip) => tip !== "" && tip !== base).map(sha);
}

async function fetchCommit(passage: QuarantineRepo, commit: Sha): Promise<boolean> {
  const result = await passage.git.run({
    repo: passage.repo,
    args: ["fetch", "--no-tags", "--no-write-fetch-head", passage.path, commit],
  });
  return result.code === 0;
}

import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha, type Sha } from "../../domain/ids.ts";
import { runnerGitDir, type Slot } from "./layout.ts";

export interface RunnerCommits {
  /** Commits that the runner's branches, stash, HEAD and reflog name; nothing says that they exist. */
  readonly named: readonly Sha[];
  /** Where their objects are. */
  readonly objects: readonly string[];
}

// A runner has a handful of each; what goes beyond is not worth waiting for.
const MAX_FILES = 1000;
const MAX_FILE_BYTES = 1 << 20;
const MAX_COMMITS = 100;

/** Reads the runner's own repository as plain files: git would obey what the runner configured there. */
export async function readRunnerCommits(slot: Slot): Promise<RunnerCommits> {
  const own = join(slot.tree, ".git");
  const places = [slot.repository, runnerGitDir(slot), ...((await isFolder(own)) ? [own] : [])];
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

/** Nothing for what is missing, too large, or only looks like a file: reading a pipe would never end. */
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

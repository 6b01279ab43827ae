import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { attributesLines } from "../mirror/find-out-of-reach.ts";
import { findCommit, readBlob } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { MAX_POINTER_BYTES, parsePointer } from "./pointer.ts";
import type { Pointer } from "./pointer.ts";

/** This is a file that Git LFS keeps by the attributes of its own tree. */
export interface LfsFile {
  readonly path: string;
  readonly blob: string;
  /** Git itself has so many bytes of it. */
  readonly length: number;
  /** It is undefined for a file that was committed as it is. */
  readonly pointer: Pointer | undefined;
}

/** A tree never changes, and only few are asked about: the bases of runs, their work, the tips of branches. */
const MAX_KEPT_TREES = 32;
const kept = new WeakMap<MirrorGit, Map<string, Promise<readonly LfsFile[]>>>();

/** Lists the files that Git LFS keeps. The name may be of a commit or of a tree. */
export async function lfsFilesOf(
  git: MirrorGit,
  repo: RepoName,
  name: Sha,
): Promise<readonly LfsFile[]> {
  const tree = (await findCommit(git, repo, name))?.tree ?? name;
  const known = kept.get(git) ?? new Map<string, Promise<readonly LfsFile[]>>();
  kept.set(git, known);
  const key = `${repo} ${tree}`;
  const files = known.get(key) ?? readFiles(git, repo, tree);
  known.delete(key);
  known.set(key, files);
  const [oldest] = known.keys();
  if (known.size > MAX_KEPT_TREES && oldest !== undefined) known.delete(oldest);
  files.catch(() => known.delete(key));
  return files;
}

async function readFiles(git: MirrorGit, repo: RepoName, tree: Sha): Promise<readonly LfsFile[]> {
  const lines = await attributesLines(git, repo, tree);
  if (!lines.some(({ text }) => text.includes("filter=lfs"))) return [];
  const entries = await filteredEntries(git, repo, tree);
  // Given an empty input, git would wait for ever.
  if (entries.length === 0) return [];
  const sizes = await git.expect({
    repo,
    args: ["cat-file", "--batch-check=%(objectsize)"],
    input: entries.map(({ blob }) => `${blob}\n`).join(""),
  });
  const lengths = sizes.split("\n").map(Number);
  const files = entries.map(async (entry, at): Promise<LfsFile> => {
    const length = lengths[at] ?? 0;
    const text = length > MAX_POINTER_BYTES ? undefined : await readBlob(git, repo, entry.blob);
    return { ...entry, length, pointer: text && parsePointer(text.toString("latin1")) };
  });
  return Promise.all(files);
}

type Entry = Pick<LfsFile, "path" | "blob">;

/** Git itself reads the attributes, with its own rules of precedence and letter case. */
async function filteredEntries(
  git: MirrorGit,
  repo: RepoName,
  tree: Sha,
): Promise<readonly Entry[]> {
  await mkdir(git.layout.trash, { recursive: true });
  const index = join(git.layout.trash, `index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    await git.expect({ repo, args: ["read-tree", tree], env });
    const listed = await git.expect({ repo, args: ["ls-files", "-z", "--stage"], env });
    const files = listed.split("\0").flatMap(entryFrom);
    const args = ["check-attr", "--cached", "-z", "--stdin", "filter"];
    const input = files.map(({ path }) => `${path}\0`).join("");
    const paths = keptPaths(await git.expect({ repo, args, env, input }));
    return files.filter(({ path }) => paths.has(path));
  } finally {
    await rm(index, { force: true });
  }
}

/** Links and submodules have no content that a filter would change. */
function entryFrom(line: string): readonly Entry[] {
  const [, blob = "", path] = /^100\d{3} ([0-9a-f]+) 0\t(.+)$/s.exec(line) ?? [];
  return path === undefined ? [] : [{ blob, path }];
}

/** The answer repeats path, attribute and value. */
function keptPaths(answer: string): ReadonlySet<string> {
  const fields = answer.split("\0");
  return new Set(fields.filter((_, at) => at % 3 === 0 && fields[at + 2] === "lfs"));
}

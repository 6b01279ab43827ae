import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "./git.ts";
import type { Signature } from "./history.ts";

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

export async function writeCommit(dir: string, commit: NewCommit): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ["-p", parent]);
  return git(dir, ["commit-tree", commit.tree, ...parents, "-F", "-"], {
    input: `${commit.message}\n`,
    env: {
      GIT_AUTHOR_NAME: commit.author.name,
      GIT_AUTHOR_EMAIL: commit.author.email,
      GIT_AUTHOR_DATE: commit.author.date,
      GIT_COMMITTER_NAME: commit.committer.name,
      GIT_COMMITTER_EMAIL: commit.committer.email,
      GIT_COMMITTER_DATE: commit.committer.date,
    },
  });
}

/** Maps paths to file contents; `null` removes the file. */
export type Files = Readonly<Record<string, string | null>>;

/** Writes the tree of `parent` (or an empty one) with these files put over it. */
export async function writeTree(dir: string, parent: string | null, files: Files): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "local-github-index-"));
  const env = { GIT_INDEX_FILE: join(scratch, "index") };
  try {
    if (parent !== null) await git(dir, ["read-tree", parent], { env });
    const input = await indexLines(dir, files);
    await git(dir, ["update-index", "--add", "--index-info"], { env, input });
    return await git(dir, ["write-tree"], { env });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function indexLines(dir: string, files: Files): Promise<string> {
  const kept = Object.entries(files).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const blobs = await writeBlobs(
    dir,
    kept.map(([, text]) => text),
  );
  const removed = Object.keys(files).filter((path) => files[path] === null);
  return [
    ...removed.map((path) => `0 ${"0".repeat(40)}\t${path}\n`),
    ...kept.map(([path, text], at) => `${modeOf(text)} ${blobs[at] ?? ""}\t${path}\n`),
  ].join("");
}

function modeOf(text: string): string {
  return text.startsWith("#!") ? "100755" : "100644";
}

/** Writes all blobs in one process. */
async function writeBlobs(dir: string, texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const commands = texts.map(
    (text, at) =>
      `blob\nmark :${at + 1}\ndata ${Buffer.byteLength(text)}\n${text}\nget-mark :${at + 1}\n`,
  );
  const answer = await git(dir, ["fast-import", "--quiet", "--done"], {
    input: `${commands.join("")}done\n`,
  });
  return answer.split("\n");
}

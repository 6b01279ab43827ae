import { isUtf8 } from "node:buffer";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { FilesIn, Git, WantedFiles } from "../../../ports/git.ts";
import { gitFailed } from "../run/run-git.ts";
import { readBlob } from "./mirror-commits.ts";
import type { MirrorCommand, MirrorGit } from "./mirror-git.ts";

interface Entry {
  readonly blob: string;
  readonly path: string;
}

/** Makes the part of the port that reads files of a commit. */
export function createFilesIn(git: MirrorGit): Git["filesIn"] {
  return (repo, commit, wanted) => readFiles(git, repo, { ...wanted, commit });
}

/** Looks at the size of a file before it reads it. The order of paths is that of their code units. */
async function readFiles(
  git: MirrorGit,
  repo: RepoName,
  wanted: WantedFiles & { readonly commit: Sha },
): Promise<FilesIn> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", wanted.commit];
  const listed = await git.expect({ repo, args });
  const entries = listed
    .split("\0")
    .flatMap(entryFrom)
    .filter(({ path }) => wanted.matches(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (entries.length > wanted.maxFiles) return { kind: "too-many", count: entries.length };
  const sizes = await sizesOf(git, repo, entries);
  const large = entries.find((_, at) => (sizes[at] ?? 0) > wanted.maxBytes);
  if (large !== undefined) return { kind: "too-large", path: large.path };
  return readTexts(git, repo, entries);
}

/** A link and a submodule have another mode. */
function entryFrom(line: string): readonly Entry[] {
  const [, blob = "", path] = /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  return path === undefined ? [] : [{ blob, path }];
}

async function sizesOf(
  git: MirrorGit,
  repo: RepoName,
  entries: readonly Entry[],
): Promise<readonly number[]> {
  // Given an empty input, git would wait for ever.
  if (entries.length === 0) return [];
  const command: MirrorCommand = {
    repo,
    args: ["cat-file", "--batch-check=%(objectsize)"],
    input: entries.map(({ blob }) => `${blob}\n`).join(""),
  };
  const lines = (await git.expect(command)).trimEnd().split("\n");
  const lost = lines.find((line) => !/^\d+$/.test(line));
  if (lost !== undefined) throw gitFailed(command, lost);
  return lines.map(Number);
}

async function readTexts(
  git: MirrorGit,
  repo: RepoName,
  entries: readonly Entry[],
): Promise<FilesIn> {
  const contents = await Promise.all(
    entries.map(async ({ blob, path }) => {
      const content = await readBlob(git, repo, blob);
      if (content === undefined) throw gitFailed({ args: ["cat-file"] }, `${blob} is missing`);
      return { path, content };
    }),
  );
  const odd = contents.find(({ path, content }) => !isText(path, content));
  if (odd !== undefined) return { kind: "not-text", path: odd.path };
  const files = contents.map(({ path, content }) => ({ path, text: content.toString("utf8") }));
  return { kind: "read", files };
}

/** A name that is no UTF-8 was read with this character in its place, so two of them could look the same. */
function isText(path: string, content: Buffer): boolean {
  return !path.includes("\uFFFD") && isUtf8(content) && !content.includes(0);
}

import type { RepoName } from "../../../domain/ids.ts";
import type { LfsQuestion, RefusedLfs } from "../../../ports/git.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { withoutContent } from "./fetch-content.ts";
import { handlesLfs } from "./git-lfs.ts";
import { lfsFilesOf } from "./lfs-files.ts";
import type { LfsFile } from "./lfs-files.ts";

/** Finds files that must not land as they are. */
export async function judgeLfsFiles(
  git: MirrorGit,
  repo: RepoName,
  { tree, base, paths }: LfsQuestion,
): Promise<RefusedLfs | undefined> {
  const changed = new Set(paths);
  const files = (await lfsFilesOf(git, repo, tree)).filter(({ path }) => changed.has(path));
  if (files.length === 0) return undefined;
  const plain = (await handlesLfs(git, repo)) ? files.filter(isPlain) : files;
  if (plain.length > 0) return { kind: "plain", paths: plain.map(({ path }) => path) };
  // Files that the base has without content may be moved about.
  const before = new Set((await lfsFilesOf(git, repo, base)).map(({ pointer }) => pointer?.oid));
  const empty = (await withoutContent(git, repo, files)).filter(
    ({ pointer }) => !before.has(pointer?.oid),
  );
  if (empty.length === 0) return undefined;
  return { kind: "no-content", paths: empty.map(({ path }) => path) };
}

/** Git LFS leaves an empty file as it is. */
function isPlain({ pointer, length }: LfsFile): boolean {
  return pointer === undefined && length > 0;
}

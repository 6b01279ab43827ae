import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { plainName } from "../../../shared/quote.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { askMissing } from "./ask-missing.ts";
import { contentPath, handlesLfs, storageOf, transferPlace } from "./git-lfs.ts";
import { lfsFilesOf } from "./lfs-files.ts";
import type { LfsFile } from "./lfs-files.ts";
import { wordsOfLfs } from "./words-of-lfs.ts";

/**
 * Brings the content of the commit's files into the mirror, and lists the files whose content the remote does not have: they stay
 * pointers in every clone, and the repository can be worked on without them. Any other trouble is thrown.
 */
export async function fetchContent(
  git: MirrorGit,
  repo: RepoName,
  commit: Sha,
): Promise<readonly string[]> {
  if (!(await handlesLfs(git, repo))) return [];
  const files = await lfsFilesOf(git, repo, commit);
  if ((await withoutContent(git, repo, files)).length === 0) return [];
  // Runs that start together need the same content: the first fetches it.
  return git.serialize(`lfs ${repo}`, async () => {
    if ((await withoutContent(git, repo, files)).length === 0) return [];
    const place = await transferPlace(git, repo);
    const result = await git.run({ ...place, args: ["lfs", "fetch", "origin", commit] });
    await forgetLogs(git, repo);
    const left = await withoutContent(git, repo, files);
    if (left.length === 0) return [];
    const paths = left.map(({ path }) => path);
    const missing = await askMissing(git, repo, left);
    if (missing !== undefined && left.every((file) => missing.has(file.pointer?.oid ?? "")))
      return paths;
    throw new AppError(
      "git-failed",
      `cannot fetch the content of ${named(paths)} from Git LFS: ${wordsOfLfs(result, place)}`,
      { retryable: true },
    );
  });
}

/** Lists those of the files that are pointers to content which the mirror does not have. */
export async function withoutContent(
  git: MirrorGit,
  repo: RepoName,
  files: readonly LfsFile[],
): Promise<readonly LfsFile[]> {
  const storage = storageOf(git, repo);
  const isHere = await Promise.all(
    files.map(
      async ({ pointer }) =>
        pointer === undefined || (await exists(contentPath(storage, pointer.oid))),
    ),
  );
  return files.filter((_, at) => isHere[at] === false);
}

/** Git-lfs writes a page about each failure, which nobody would ever take away. */
export async function forgetLogs(git: MirrorGit, repo: RepoName): Promise<void> {
  await rm(join(storageOf(git, repo), "logs"), { recursive: true, force: true });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const MAX_NAMES = 3;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMES).map(plainName).join(", ");
  return paths.length > MAX_NAMES ? `${shown} and ${paths.length - MAX_NAMES} more` : shown;
}

import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { RepoName } from "../../../domain/ids.ts";
import type { MirrorGit, MirrorPlace } from "../mirror/mirror-git.ts";
import { remoteAccess } from "../remote/remote-access.ts";

type Config = NonNullable<MirrorPlace["config"]>;

/**
 * Git starts this for files of Git LFS while it checks out or adds. It works in an empty folder and on the mirror alone, so it reads no
 * `.lfsconfig` that somebody wrote. It knows neither remote nor token, so it never asks anybody for content.
 */
const FILTER = `cd "$HOME" && unset GIT_WORK_TREE GIT_INDEX_FILE && exec git-lfs filter-process`;

/** Tells whether the host has the program. */
export async function hasGitLfs({ options }: MirrorGit): Promise<boolean> {
  const folders = (options.env?.["PATH"] ?? "").split(delimiter).filter(Boolean);
  const found = folders.map((folder) =>
    access(join(folder, "git-lfs"), constants.X_OK).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}

/** Tells whether the content of files can be fetched and sent. Where it cannot, pointers stay pointers and nobody may change them. */
export async function handlesLfs(git: MirrorGit, repo: RepoName): Promise<boolean> {
  return /^https?:/.test(git.options.remoteUrl(repo)) && (await hasGitLfs(git));
}

/** Has git turn pointers into content when it checks out, and content into pointers when it adds. */
export async function filterConfig(git: MirrorGit, repo: RepoName): Promise<Config> {
  return (await handlesLfs(git, repo)) ? contentConfig(git, repo) : [];
}

/** Does so also where nothing can be fetched. A file whose content is not here stays a pointer. */
export function contentConfig(git: MirrorGit, repo: RepoName): Config {
  return [
    ...storageConfig(git, repo),
    ["filter.lfs.process", FILTER],
    ["filter.lfs.required", "true"],
    ["lfs.skipdownloaderrors", "true"],
  ];
}

/**
 * Gives git-lfs the token by environment, and only for its own remote. It is told the address, so that none in a `.lfsconfig` counts,
 * and it may only use the transfer that it has itself: no program that somebody named is started.
 */
export async function transferPlace(git: MirrorGit, repo: RepoName): Promise<MirrorPlace> {
  const { url, extra } = await remoteAccess(git, repo);
  const address = `${url}/info/lfs`;
  const config: Config = [
    ...(extra.config ?? []),
    ...storageConfig(git, repo),
    ["remote.origin.url", url],
    ["lfs.url", address],
    ["lfs.pushurl", address],
    ["lfs.basictransfersonly", "true"],
    ["lfs.fetchinclude", ""],
    ["lfs.fetchexclude", ""],
    // A long transfer that says nothing would be taken for one that hangs.
    ["lfs.forceprogress", "true"],
  ];
  return { repo, ...extra, config };
}

/** Names the folder of the contents. The mirror's own one is never shown to a runner. */
export function storageOf(git: MirrorGit, repo: RepoName): string {
  return join(git.layout.mirror(repo), "lfs");
}

export function contentPath(storage: string, oid: string): string {
  return join(storage, "objects", oid.slice(0, 2), oid.slice(2, 4), oid);
}

function storageConfig(git: MirrorGit, repo: RepoName): Config {
  return [
    ["lfs.storage", storageOf(git, repo)],
    ["lfs.repositoryformatversion", "0"],
  ];
}

import { randomUUID } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { namesIn } from "./names-in.ts";

/** A clean workspace at `base` that nobody uses. Its folder is called `<base>.<anything>`. */
export interface Spare {
  readonly root: string;
  readonly base: Sha;
}

/** Enough for the runs that one host has at a time; each costs the disk space of a checkout. */
const DEFAULT_MAX_SPARES = 8;

/** Spares of the repository, those at the wanted base first. */
export async function listSpares(
  git: MirrorGit,
  repo: RepoName,
  wanted: Sha,
): Promise<readonly Spare[]> {
  const spares = (await namesIn(git.layout.spares(repo))).map((name) => ({
    root: join(git.layout.spares(repo), name),
    base: sha(name.slice(0, name.indexOf("."))),
  }));
  const rank = ({ base }: Spare): number => (base === wanted ? 0 : 1);
  return spares.sort((a, b) => rank(a) - rank(b));
}

export async function hasRoomForSpare(git: MirrorGit, repo: RepoName): Promise<boolean> {
  const max = git.options.maxSpares ?? DEFAULT_MAX_SPARES;
  return (await namesIn(git.layout.spares(repo))).length < max;
}

export async function keepSpare(git: MirrorGit, repo: RepoName, spare: Spare): Promise<void> {
  const folder = git.layout.spares(repo);
  await mkdir(folder, { recursive: true });
  await rename(spare.root, join(folder, `${spare.base}.${randomUUID()}`));
}

import { randomUUID } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { isSha, type RepoName, type Sha } from "../../../domain/ids.ts";
import { foldersIn, namesIn } from "../../host/folders.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

/** A spare is a clean workspace at `base` that nobody uses. Its folder is called `<base>.<anything>`. */
export interface Spare {
  readonly root: string;
  readonly base: Sha;
}

/** This is enough for the runs that one host has at a time. Each spare costs the disk space of a checkout. */
const DEFAULT_MAX_SPARES = 8;

/** Lists the spares of the repository, those at the wanted base first. */
export async function listSpares(
  git: MirrorGit,
  repo: RepoName,
  wanted: Sha,
): Promise<readonly Spare[]> {
  const folder = git.layout.spares(repo);
  const read = (name: string): Spare | undefined => {
    const base = name.slice(0, name.indexOf("."));
    return isSha(base) ? { root: join(folder, name), base } : undefined;
  };
  const spares = [...(await foldersIn(folder, { aside: git.aside, read }))];
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
  const place = join(folder, `${spare.base}.${randomUUID()}`);
  await rename(spare.root, place);
  git.cleaned.add(place);
}

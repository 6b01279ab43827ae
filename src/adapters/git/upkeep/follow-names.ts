import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepoName } from "../../../domain/ids.ts";
import { nameNow } from "../../../domain/ids.ts";
import type { RepoNaming } from "../../../domain/ids.ts";
import { listRepos } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

/** This file of a mirror has GitHub's number of its repository: a name alone does not say whose a mirror is. */
const LABEL = "wavetrain-repository";

/**
 * Brings each mirror to the name that its repository has now, with the work that was saved in it. Nobody may work in a mirror that has
 * to move. Killed in between, the next call goes on: it only looks at what is on disk.
 */
export async function followNames(git: MirrorGit, names: readonly RepoNaming[]): Promise<void> {
  for (const repo of await listRepos(git.layout.mirrors, git.aside, ".git")) {
    const owners = new Set(names.flatMap((one) => (one.repo === repo ? [one.id] : [])));
    if (owners.size > 0) await git.serialize(repo, () => bringHome(git, repo, { owners, names }));
  }
}

interface Claimants {
  /** These had the name at some time. */
  readonly owners: ReadonlySet<number>;
  readonly names: readonly RepoNaming[];
}

async function bringHome(
  git: MirrorGit,
  repo: RepoName,
  { owners, names }: Claimants,
): Promise<void> {
  const mirror = git.layout.mirror(repo);
  const label = await readLabel(mirror);
  const [only] = owners;
  const id = label ?? (owners.size === 1 ? only : undefined);
  const home = id === undefined ? undefined : nameNow(names, id);
  if (id !== undefined && home === repo) {
    if (label === undefined) await writeLabel(mirror, id);
    return;
  }
  await dropCopies(git, repo);
  if (home !== undefined && id !== undefined && (await isFree(git, home))) {
    await writeLabel(mirror, id);
    await moveTo(git, { mirror, home });
  } else await git.aside.put(mirror, "nobody can say any more which repository it belongs to");
}

/** A mirror without a label was begun under the new name before anybody knew that it is new. */
async function isFree(git: MirrorGit, home: RepoName): Promise<boolean> {
  return (await readLabel(git.layout.mirror(home))) === undefined;
}

/** A mirror that was begun under the new name has nothing that the remote does not have. */
async function moveTo(
  git: MirrorGit,
  { mirror, home }: { readonly mirror: string; readonly home: RepoName },
): Promise<void> {
  const place = git.layout.mirror(home);
  // Where capital letters do not count, a name that differs in those alone is the same folder.
  if (place.toLowerCase() !== mirror.toLowerCase()) await git.aside.remove(place);
  await dropCopies(git, home);
  await mkdir(dirname(place), { recursive: true });
  await rename(mirror, place);
}

/** Spares borrow objects from the mirror by its path. They and what setup made can be had again. */
async function dropCopies(git: MirrorGit, repo: RepoName): Promise<void> {
  await git.aside.remove(git.layout.spares(repo));
  await git.aside.remove(git.layout.setups(repo));
}

async function readLabel(mirror: string): Promise<number | undefined> {
  const text = await readFile(join(mirror, LABEL), "utf8").catch(() => "");
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

async function writeLabel(mirror: string, id: number): Promise<void> {
  await writeFile(join(mirror, LABEL), String(id));
}

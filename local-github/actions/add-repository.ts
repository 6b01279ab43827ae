import { join } from "node:path";
import { copyBareRepository, initBareRepository } from "../git/bare-repository.ts";
import { listRefs, updateRefs } from "../git/refs.ts";
import { writeCommit, writeTree } from "../git/write-commit.ts";
import type { Files } from "../git/write-commit.ts";
import type { Role } from "../model/account.ts";
import { findAccount } from "../model/find.ts";
import { identity } from "../model/ids.ts";
import { fullName } from "../model/repository.ts";
import type { Repository } from "../model/repository.ts";
import { register, stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";
import { GITHUB_COMMITTER } from "./pulls/signature.ts";

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** This is a path of a local git repository to copy, or the files of a first commit. */
  readonly from?: string | Files;
  /** It is ignored when copying: then the copied repository's own branch is the default one. */
  readonly defaultBranch?: string;
  readonly isPrivate?: boolean;
  readonly forkOf?: Repository;
  readonly roles?: Readonly<Record<string, Role>>;
}

export async function addRepository(world: World, wanted: NewRepository): Promise<Repository> {
  const owner = findAccount(world, wanted.owner);
  if (owner === undefined) throw new Error(`there is no account ${wanted.owner}`);
  const dir = folderFor(world, owner.login, wanted.name);
  const defaultBranch = await fillRepository(world, dir, wanted);
  const repository: Repository = register(world, {
    kind: "repository",
    ...identity(world, "R"),
    owner,
    name: wanted.name,
    isPrivate: wanted.isPrivate ?? true,
    forkOf: wanted.forkOf ?? null,
    copyOf: typeof wanted.from === "string" ? wanted.from : null,
    defaultBranch,
    dir,
    refs: await listRefs(dir),
    labels: [],
    roles: new Map(Object.entries(wanted.roles ?? {})),
    rules: [],
    createdAt: stamp(world),
    updatedAt: stamp(world),
    pushedAt: stamp(world),
    lastNumber: 0,
    deletesBranchOnMerge: false,
    mergeMethods: new Set(["merge", "squash", "rebase"]),
  });
  const name = fullName(repository).toLowerCase();
  world.repositories.set(name, repository);
  world.formerNames.delete(name);
  return repository;
}

/** A repository that was renamed keeps its folder, also when another one takes its name. */
function folderFor(world: World, owner: string, name: string): string {
  const dir = join(world.dataDir, owner, `${name}.git`);
  const isTaken = [...world.repositories.values()].some((other) => other.dir === dir);
  return isTaken ? join(world.dataDir, owner, `${name}.${world.lastId}.git`) : dir;
}

async function fillRepository(
  world: World,
  dir: string,
  { from, defaultBranch = "main" }: NewRepository,
): Promise<string> {
  if (typeof from === "string") return copyBareRepository(dir, from);
  await initBareRepository(dir, defaultBranch);
  if (from !== undefined) await firstCommit(world, dir, { files: from, branch: defaultBranch });
  return defaultBranch;
}

async function firstCommit(
  world: World,
  dir: string,
  { files, branch }: { readonly files: Files; readonly branch: string },
): Promise<void> {
  const signature = { ...GITHUB_COMMITTER, date: new Date(world.now()).toISOString() };
  const sha = await writeCommit(dir, {
    tree: await writeTree(dir, null, files),
    parents: [],
    message: "Initial commit",
    author: signature,
    committer: signature,
  });
  await updateRefs(dir, [{ name: `refs/heads/${branch}`, before: null, after: sha }]);
}

import { readCommit } from "../../git/history.ts";
import type { Commit } from "../../git/history.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";

/** Names a commit without reading it: most queries want no more than its id. */
export interface CommitName {
  readonly kind: "commit";
  readonly repository: Repository;
  readonly sha: string;
}

export interface RefName {
  readonly kind: "ref";
  readonly repository: Repository;
  /** This is the full name, such as `refs/heads/main`. */
  readonly name: string;
}

export function commitNamed(repository: Repository, sha: string): CommitName {
  return { kind: "commit", repository, sha };
}

/** Finds the commit that an object id or an expression such as `main` names; answers null when there is none. */
export async function commitAt(repository: Repository, rev: string): Promise<CommitName | null> {
  if (rev === "" || rev.startsWith("-")) return null;
  if (rev.includes(":"))
    throw new Error("the local GitHub does not model Repository.object of files");
  const commit = await readCommit(repository.dir, rev);
  return commit ? commitNamed(repository, commit.sha) : null;
}

/** Finds a ref; answers null when the repository has no such ref. */
export function refNamed(repository: Repository, name: string): RefName | null {
  return repository.refs.has(name) ? { kind: "ref", repository, name } : null;
}

export async function contentOf({ repository, sha }: CommitName): Promise<Commit> {
  const commit = await readCommit(repository.dir, sha);
  if (commit === undefined) throw new Error(`commit ${sha} is not in ${repository.name}`);
  return commit;
}

export function commitNodeId({ repository, sha }: CommitName): string {
  return `C_${encode(`${repository.id}:${sha}`)}`;
}

export function refNodeId({ repository, name }: RefName): string {
  return `REF_${encode(`${repository.id}:${name}`)}`;
}

/** Finds the commit or ref that a node id names; answers undefined for ids of anything else. */
export function gitObjectById(world: World, id: string): CommitName | RefName | null | undefined {
  const [, prefix, code] = /^(C|REF)_(.+)$/.exec(id) ?? [];
  if (code === undefined) return undefined;
  const [, repositoryId, name = ""] =
    /^(\d+):(.+)$/.exec(Buffer.from(code, "base64url").toString()) ?? [];
  const repository = [...world.repositories.values()].find(
    (candidate) => candidate.id === Number(repositoryId),
  );
  if (repository === undefined) return undefined;
  return prefix === "C" ? commitNamed(repository, name) : refNamed(repository, name);
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

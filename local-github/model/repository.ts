import type { Account, Role } from "./account.ts";
import type { BranchRule } from "./rule.ts";

export interface Label {
  readonly kind: "label";
  readonly id: number;
  readonly nodeId: string;
  readonly repository: Repository;
  name: string;
  color: string;
  description: string | null;
  readonly isDefault: boolean;
}

export interface Repository {
  readonly kind: "repository";
  readonly id: number;
  readonly nodeId: string;
  owner: Account;
  name: string;
  readonly isPrivate: boolean;
  readonly forkOf: Repository | null;
  /** This is the folder of the git repository that it was copied from. */
  readonly copyOf: string | null;
  defaultBranch: string;
  /** This is the folder of the bare repository on disk. */
  readonly dir: string;
  /** It maps full ref names to object ids and follows the bare repository, see `syncRefs` in `actions/pulls/change-refs.ts`. */
  readonly refs: Map<string, string>;
  readonly labels: Label[];
  readonly roles: Map<string, Role>;
  readonly rules: BranchRule[];
  readonly createdAt: string;
  updatedAt: string;
  pushedAt: string;
  lastNumber: number;
  deletesBranchOnMerge: boolean;
  readonly mergeMethods: Set<"merge" | "squash" | "rebase">;
}

/** Names an object of Git LFS as clients do. */
export interface ObjectName {
  readonly oid: string;
  readonly size: number;
}

/** Opens one object to whoever has the address. */
export interface LfsLink {
  readonly use: "download" | "upload" | "verify";
  readonly repository: Repository;
  readonly object: ObjectName;
  readonly expiresAt: number;
}

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

export function branchSha(repository: Repository, branch: string): string | undefined {
  return repository.refs.get(`refs/heads/${branch}`);
}

export function findLabel(repository: Repository, name: string): Label | undefined {
  const wanted = name.toLowerCase();
  return repository.labels.find((label) => label.name.toLowerCase() === wanted);
}

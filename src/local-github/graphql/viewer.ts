import type { User } from "../model/account.ts";
import type { InstallationToken, PermissionLevel } from "../model/app.ts";
import { repositoriesOf } from "../model/find.ts";
import type { Mergeability, PullRequest } from "../model/pull-request.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { forbidden } from "./graphql-problem.ts";

/** Who asks, and what their token opens. */
export interface Viewer {
  readonly world: World;
  readonly user: User;
  readonly token: InstallationToken;
  /** The knob that makes boards unreadable without an error, as a missing permission does. */
  readonly boardsAreNull: boolean;
  /** Null while GitHub is still working it out. */
  readonly mergeabilityOf: (pull: PullRequest) => Promise<Mergeability | null>;
  readonly rateLimit: RateLimit;
}

/** What `rateLimit` answers: the budget after the request that asked. */
export interface RateLimit {
  readonly cost: number;
  readonly limit: number;
  readonly nodeCount: number;
  readonly remaining: number;
  readonly used: number;
  readonly resetAt: string;
}

const RANK: Readonly<Record<PermissionLevel, number>> = { read: 1, write: 2, admin: 3 };

export function may(viewer: Viewer, permission: string, level: PermissionLevel): boolean {
  const granted = viewer.token.permissions[permission];
  return granted !== undefined && RANK[granted] >= RANK[level];
}

export function covers(viewer: Viewer, repository: Repository): boolean {
  const { installation, repositories } = viewer.token;
  return (repositories ?? repositoriesOf(viewer.world, installation)).includes(repository);
}

export function canSee(viewer: Viewer, repository: Repository): boolean {
  return !repository.isPrivate || covers(viewer, repository);
}

export function canSeeBoards(viewer: Viewer): boolean {
  return !viewer.boardsAreNull && may(viewer, "organization_projects", "read");
}

/** Writing needs the permission and, for what belongs to a repository, that the token covers it. */
export function requireWrite(viewer: Viewer, permission: string, repository?: Repository): void {
  const covered = repository === undefined || covers(viewer, repository);
  if (!covered || !may(viewer, permission, "write")) throw forbidden();
}

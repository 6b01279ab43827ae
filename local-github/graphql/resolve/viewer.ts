import { tokenRepositories } from "../../actions/installations.ts";
import { allows, grants } from "../../auth/permission.ts";
import type { Needed } from "../../auth/permission.ts";
import type { User } from "../../model/account.ts";
import type { InstallationToken } from "../../model/app.ts";
import type { Project } from "../../model/project.ts";
import type { Mergeability, PullRequest } from "../../model/pull-request.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { forbidden } from "./graphql-problem.ts";

/** Says who asks, and holds their token. */
export interface Viewer {
  readonly world: World;
  readonly user: User;
  readonly token: InstallationToken;
  /** This knob makes boards unreadable without an error, as a missing permission does. */
  readonly boardsAreNull: boolean;
  /** It answers null while GitHub is still working it out. */
  readonly mergeabilityOf: (pull: PullRequest) => Promise<Mergeability | null>;
  readonly rateLimit: RateLimit;
}

/** Is the answer to `rateLimit`: the budget after the request that asked. */
export interface RateLimit {
  readonly cost: number;
  readonly limit: number;
  readonly nodeCount: number;
  readonly remaining: number;
  readonly used: number;
  readonly resetAt: string;
}

export function covers({ world, token }: Viewer, repository: Repository): boolean {
  return tokenRepositories(world, token).includes(repository);
}

export function canSee(viewer: Viewer, repository: Repository): boolean {
  return !repository.isPrivate || covers(viewer, repository);
}

export function canSeeBoards({ boardsAreNull, token }: Viewer): boolean {
  return !boardsAreNull && grants(token, "organization_projects=read");
}

/** A person's project opens to their own classic token alone, an organization's to Apps with the permission. */
export function canSeeProject(viewer: Viewer, { owner, isPublic }: Project): boolean {
  if (owner.kind === "organization") return canSeeBoards(viewer);
  const { person } = viewer.token;
  if (person === undefined || !hasScope(viewer, "read:project")) return false;
  return isPublic || person.user === owner;
}

/** `project` includes `read:project`. */
export function hasScope({ token }: Viewer, scope: "project" | "read:project"): boolean {
  const scopes = token.person?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes("project");
}

/** Writing needs the permission and, for what belongs to a repository, that the token covers it. */
export function requireGrant(viewer: Viewer, needed: Needed, repository?: Repository): void {
  const isAllowed =
    repository === undefined
      ? grants(viewer.token, needed)
      : covers(viewer, repository) && allows(viewer.token, needed, repository);
  if (!isAllowed) throw forbidden();
}

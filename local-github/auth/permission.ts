import { tokenRepositories } from "../actions/installations.ts";
import type { InstallationToken, PermissionLevel } from "../model/app.ts";
import { notFound, Problem } from "../model/problem.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";

const LEVELS: readonly PermissionLevel[] = ["read", "write", "admin"];

/**
 * Says which permissions a call needs, in the very words of the header `x-accepted-github-permissions`:
 * `issues=write` is one; of `a=write; b=write` either is enough; of `a=write,b=read` both are needed.
 */
export type Needed = string;

export function grants(token: InstallationToken, needed: Needed): boolean {
  return needed
    .split(";")
    .some((set) => set.split(",").every((one) => grantsOne(token, one.trim())));
}

function grantsOne(token: InstallationToken, one: string): boolean {
  const [name = "", level = ""] = one.split("=");
  const granted = token.permissions[name];
  if (granted === undefined) return false;
  return LEVELS.indexOf(granted) >= LEVELS.findIndex((known) => known === level);
}

/** Refuses a token without access. A private repository that it does not cover does not exist for it; a public one can be read. */
export function requireAccess(
  world: World,
  token: InstallationToken,
  access: { readonly repository: Repository; readonly needed: Needed },
): void {
  const { repository, needed } = access;
  const covered = tokenRepositories(world, token).includes(repository);
  if (!covered && repository.isPrivate) throw notFound();
  const reading = !/=(?:write|admin)/.test(needed);
  if (!covered && reading) return;
  if (!covered || !grants(token, needed)) throw notAccessible(needed);
}

export function notAccessible(needed: Needed): Problem {
  return new Problem(403, "Resource not accessible by integration", {
    headers: { "x-accepted-github-permissions": needed },
  });
}

import { tokenRepositories } from "../actions/installations.ts";
import type { Role } from "../model/account.ts";
import type { InstallationToken, PermissionLevel } from "../model/app.ts";
import { roleOf } from "../model/find.ts";
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
  if (!covered || !allows(token, needed, repository)) throw notAccessible(needed);
}

/** A person's classic token may do in a repository what the person may; an App's token what was granted. */
export function allows(token: InstallationToken, needed: Needed, repository: Repository): boolean {
  if (token.person === undefined) return grants(token, needed);
  const role = roleOf(repository, token.person.user);
  return needed
    .split(";")
    .some((set) => set.split(",").every((one) => roleAllows(role, one.trim())));
}

const ROLES: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** Check runs are for Apps alone. */
function roleAllows(role: Role, one: string): boolean {
  if (one === "checks=write") return false;
  const isWrite = /=(?:write|admin)$/.test(one);
  const least = !isWrite ? "read" : one === "issues=write" ? "triage" : "write";
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function notAccessible(needed: Needed): Problem {
  return new Problem(403, "Resource not accessible by integration", {
    headers: { "x-accepted-github-permissions": needed },
  });
}

import type { Organization, User } from "../model/account.ts";
import { findAccount, findRepository } from "../model/find.ts";
import { invalid } from "../model/problem.ts";
import { fullName } from "../model/repository.ts";
import type { Repository } from "../model/repository.ts";
import { announce, stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";

/** Gives a repository another name. The old one leads to it until somebody makes a repository of that name. */
export function renameRepository(
  world: World,
  repository: Repository,
  { name, actor }: { readonly name: string; readonly actor: User },
): void {
  const from = repository.name;
  move(world, repository, () => {
    repository.name = name;
  });
  announce(world, { name: "repository", action: "renamed", repository, from, sender: actor });
}

/** Gives a repository to another owner; an App that was installed on some repositories of the old one loses it. */
export function transferRepository(
  world: World,
  repository: Repository,
  { to, actor }: { readonly to: string; readonly actor: User },
): void {
  const from = repository.owner;
  const owner = findAccount(world, to);
  if (owner === undefined) throw invalid(problem("new_owner", "invalid"));
  for (const installation of world.installations) installation.selected.delete(repository);
  move(world, repository, () => {
    repository.owner = owner;
  });
  announce(world, { name: "repository", action: "transferred", repository, from, sender: actor });
}

/** Gives an organization another login; the old names of its repositories lead on. */
export function renameOrganization(
  world: World,
  organization: Organization,
  { login, actor }: { readonly login: string; readonly actor: User },
): void {
  const from = organization.login;
  if (findAccount(world, login) !== undefined) throw invalid(problem("login", "already_exists"));
  const own = [...world.repositories.values()].filter(({ owner }) => owner === organization);
  const formerly = own.map((repository) => [repository, fullName(repository)] as const);
  world.accounts.delete(from.toLowerCase());
  organization.login = login;
  world.accounts.set(login.toLowerCase(), organization);
  for (const [repository, former] of formerly) enter(world, repository, former);
  for (const installation of world.installations) {
    if (installation.account !== organization) continue;
    announce(world, {
      name: "installation_target",
      action: "renamed",
      installation,
      from,
      sender: actor,
    });
  }
}

function move(world: World, repository: Repository, change: () => void): void {
  const former = fullName(repository);
  const before = { owner: repository.owner, name: repository.name };
  change();
  const taken = findRepository(world, fullName(repository));
  if (taken !== undefined && taken !== repository) {
    Object.assign(repository, before);
    throw invalid(problem("name", "already_exists"));
  }
  enter(world, repository, former);
}

function enter(world: World, repository: Repository, former: string): void {
  world.repositories.delete(former.toLowerCase());
  world.formerNames.set(former.toLowerCase(), repository);
  const name = fullName(repository).toLowerCase();
  world.formerNames.delete(name);
  world.repositories.set(name, repository);
  repository.updatedAt = stamp(world);
}

function problem(field: string, code: "invalid" | "already_exists") {
  return { resource: "Repository", field, code } as const;
}

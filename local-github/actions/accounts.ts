import type { Organization, User } from "../model/account.ts";
import { findAccount } from "../model/find.ts";
import { identity } from "../model/ids.ts";
import { register, stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";

export function addUser(world: World, login: string): User {
  refuseTaken(world, login);
  const user: User = register(world, {
    kind: "user",
    ...identity(world, "U"),
    login,
    type: "User",
    createdAt: stamp(world),
  });
  world.accounts.set(login.toLowerCase(), user);
  return user;
}

export function addOrganization(world: World, login: string): Organization {
  refuseTaken(world, login);
  const organization: Organization = register(world, {
    kind: "organization",
    ...identity(world, "O"),
    login,
    type: "Organization",
    createdAt: stamp(world),
  });
  world.accounts.set(login.toLowerCase(), organization);
  return organization;
}

function refuseTaken(world: World, login: string): void {
  if (findAccount(world, login) !== undefined) throw new Error(`the login ${login} is taken`);
}

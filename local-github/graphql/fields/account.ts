import type { Organization, User, Account } from "../../model/account.ts";
import { findProject } from "../../model/find.ts";
import { accountPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { insufficientScopes, unresolvable } from "../resolve/graphql-problem.ts";
import type { Fields } from "../resolve/resolver.ts";
import { canSeeBoards, canSeeProject, hasScope } from "../resolve/viewer.ts";

const accountFields: Fields<Account> = {
  id: (account) => account.nodeId,
  databaseId: (account) => account.id,
  login: (account) => account.login,
  url: (account, _: unknown, { world }) => `${world.url}${accountPath(account)}`,
  resourcePath: (account) => accountPath(account),
  avatarUrl: (account, _: unknown, { world }) => `${world.url}/avatars/${account.id}`,
  createdAt: (account) => account.createdAt,
};

export const userFields: Fields<User> = {
  ...accountFields,
  name: () => null,
  projectV2: (user, { number }: { readonly number: number }, viewer) => {
    if (viewer.token.person !== undefined && !hasScope(viewer, "read:project")) {
      throw insufficientScopes("projectV2", "read:project");
    }
    const project = findProject(viewer.world, user.login, number);
    if (project === undefined || !canSeeProject(viewer, project)) {
      throw unresolvable(`a ProjectV2 with the number ${number}`);
    }
    return project;
  },
};

export const botFields: Fields<User> = {
  ...accountFields,
  login: (bot) => bot.login.replace(/\[bot\]$/, ""),
};

export const organizationFields: Fields<Organization> = {
  ...accountFields,
  name: (organization) => organization.login,
  projectV2: (organization, { number }: { readonly number: number }, viewer) => {
    if (!canSeeBoards(viewer)) return null;
    const project = findProject(viewer.world, organization.login, number);
    if (project === undefined) throw unresolvable(`a ProjectV2 with the number ${number}`);
    return project;
  },
  projectsV2: (organization, page: PageArguments, viewer) => {
    const all = canSeeBoards(viewer)
      ? viewer.world.projects.filter((project) => project.owner === organization)
      : [];
    return connection({ name: "projectsV2", all }, page);
  },
};

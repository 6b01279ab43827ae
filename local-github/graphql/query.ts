import {
  findAccount,
  findMoved,
  findOrganization,
  findRepository,
  findUser,
} from "../model/find.ts";
import { connection } from "./resolve/connection.ts";
import type { PageArguments } from "./resolve/connection.ts";
import { GraphqlProblem, unresolvable } from "./resolve/graphql-problem.ts";
import { visibleNode } from "./resolve/node-lookup.ts";
import type { Fields } from "./resolve/resolver.ts";
import { searchThreads } from "./resolve/search-threads.ts";
import { canSee } from "./resolve/viewer.ts";

interface Login {
  readonly login: string;
}

interface RepositoryName {
  readonly owner: string;
  readonly name: string;
  readonly followRenames?: boolean | null;
}

interface Search extends PageArguments {
  readonly query: string;
  readonly type: string;
}

export const queryFields: Fields<unknown> = {
  viewer: (_, __: unknown, viewer) => viewer.user,
  rateLimit: (_, __: unknown, viewer) => viewer.rateLimit,
  organization: (_, { login }: Login, { world }) =>
    found(findOrganization(world, login), `an Organization with the login of '${login}'`),
  user: (_, { login }: Login, { world }) =>
    found(findUser(world, login), `a User with the login of '${login}'`),
  repositoryOwner: (_, { login }: Login, { world }) => findAccount(world, login) ?? null,
  repository: (_, { owner, name, followRenames = true }: RepositoryName, viewer) => {
    const fullName = `${owner}/${name}`;
    const moved = followRenames ? findMoved(viewer.world, fullName) : undefined;
    const repository = findRepository(viewer.world, fullName) ?? moved;
    const seen = repository && canSee(viewer, repository) ? repository : undefined;
    return found(seen, `a Repository with the name '${fullName}'`);
  },
  search: (_, { query, type, ...page }: Search, viewer) => {
    if (type !== "ISSUE") throw new Error(`the local GitHub does not search for ${type}`);
    const all = searchThreads(viewer, query);
    const found = connection({ name: "search", all }, page);
    return { ...found, issueCount: all.length };
  },
  node: (_, { id }: { readonly id: string }, viewer) => visibleNode(viewer, id),
  nodes: (_, { ids }: { readonly ids: readonly string[] }, viewer) =>
    ids.map((id) => orProblem(() => visibleNode(viewer, id))),
};

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw unresolvable(what);
  return value;
}

/** A list's element that fails is null in the list, and its error has the element's path. */
function orProblem<T>(read: () => T): T | GraphqlProblem {
  try {
    return read();
  } catch (error) {
    if (error instanceof GraphqlProblem) return error;
    throw error;
  }
}

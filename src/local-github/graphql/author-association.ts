import type { User } from "../model/account.ts";
import type { Repository } from "../model/repository.ts";

/** What someone is to a repository, in GraphQL's words. */
export function authorAssociation(repository: Repository, author: User): string {
  if (author.login === repository.owner.login) return "OWNER";
  const role = repository.roles.get(author.login);
  if (role === undefined || role === "none" || role === "read") return "NONE";
  return repository.owner.kind === "organization" ? "MEMBER" : "COLLABORATOR";
}

import type { User } from "../../model/account.ts";
import { roleOf } from "../../model/find.ts";
import type { Repository } from "../../model/repository.ts";

export type Association = "OWNER" | "MEMBER" | "COLLABORATOR" | "NONE";

/** Says how a person relates to a repository, as issues, comments and reviews show it. */
export function associationOf(repository: Repository, user: User): Association {
  if (repository.owner.login === user.login) return "OWNER";
  if (!repository.roles.has(user.login)) return "NONE";
  const trusted = ["write", "maintain", "admin"].includes(roleOf(repository, user));
  return trusted && repository.owner.type === "Organization" ? "MEMBER" : "COLLABORATOR";
}

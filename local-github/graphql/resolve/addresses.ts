import type { Account } from "../../model/account.ts";
import type { Thread } from "../../model/issue.ts";
import type { Project } from "../../model/project.ts";
import { fullName } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";

export function accountPath(account: Account): string {
  return `/${account.login}`;
}

export function repositoryPath(repository: Repository): string {
  return `/${fullName(repository)}`;
}

export function threadPath(thread: Thread): string {
  const folder = thread.kind === "issue" ? "issues" : "pull";
  return `${repositoryPath(thread.repository)}/${folder}/${thread.number}`;
}

export function projectPath(project: Project): string {
  const owners = project.owner.kind === "user" ? "users" : "orgs";
  return `/${owners}/${project.owner.login}/projects/${project.number}`;
}

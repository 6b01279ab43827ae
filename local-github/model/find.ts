import type { Account, Organization, Role, User } from "./account.ts";
import type { Installation } from "./app.ts";
import type { Issue } from "./issue.ts";
import type { QueueEntry } from "./merge-queue.ts";
import type { Project, ProjectItem } from "./project.ts";
import type { PullRequest } from "./pull-request.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

export function threadKey(repository: Repository, number: number): string {
  return `${repository.id}#${number}`;
}

export function findAccount(world: World, login: string): Account | undefined {
  return world.accounts.get(login.toLowerCase());
}

export function findUser(world: World, login: string): User | undefined {
  const account = findAccount(world, login);
  return account?.kind === "user" ? account : undefined;
}

export function findOrganization(world: World, login: string): Organization | undefined {
  const account = findAccount(world, login);
  return account?.kind === "organization" ? account : undefined;
}

export function findRepository(world: World, fullName: string): Repository | undefined {
  return world.repositories.get(fullName.toLowerCase());
}

/** Finds the repository that had this name before, unless another one has it now. */
export function findMoved(world: World, formerName: string): Repository | undefined {
  return world.formerNames.get(formerName.toLowerCase());
}

export function findThread(
  world: World,
  repository: Repository,
  number: number,
): Issue | PullRequest | undefined {
  return world.threads.get(threadKey(repository, number));
}

export function findIssue(world: World, repository: Repository, number: number): Issue | undefined {
  const thread = findThread(world, repository, number);
  return thread?.kind === "issue" ? thread : undefined;
}

export function findPull(
  world: World,
  repository: Repository,
  number: number,
): PullRequest | undefined {
  const thread = findThread(world, repository, number);
  return thread?.kind === "pull-request" ? thread : undefined;
}

export function findIssueById(world: World, id: number): Issue | undefined {
  for (const thread of world.threads.values()) {
    if (thread.id === id && thread.kind === "issue") return thread;
  }
  return undefined;
}

export function threadsOf(world: World, repository: Repository): readonly (Issue | PullRequest)[] {
  return [...world.threads.values()].filter((thread) => thread.repository === repository);
}

export function pullsOf(world: World, repository: Repository): readonly PullRequest[] {
  return threadsOf(world, repository).filter((thread) => thread.kind === "pull-request");
}

export function queueEntryOf(world: World, pull: PullRequest): QueueEntry | undefined {
  return world.mergeQueues.flatMap(({ entries }) => entries).find((entry) => entry.pull === pull);
}

/** Finds the fork that an account has of a repository. */
export function findFork(world: World, of: Repository, owner: string): Repository | undefined {
  return [...world.repositories.values()].find(
    (repository) =>
      repository.forkOf === of && repository.owner.login.toLowerCase() === owner.toLowerCase(),
  );
}

export function blockedByThis(world: World, issue: Issue): readonly Issue[] {
  return [...world.threads.values()].filter(
    (thread): thread is Issue => thread.kind === "issue" && thread.blockedBy.includes(issue),
  );
}

export function findProject(world: World, org: string, number: number): Project | undefined {
  return world.projects.find(
    (project) =>
      project.number === number && project.owner.login.toLowerCase() === org.toLowerCase(),
  );
}

export function itemsWith(world: World, content: Issue | PullRequest): readonly ProjectItem[] {
  return world.projects.flatMap((project) =>
    project.items.filter((item) => item.content === content),
  );
}

export function roleOf(repository: Repository, user: User): Role {
  if (user.login === repository.owner.login) return "admin";
  return repository.roles.get(user.login) ?? (repository.isPrivate ? "none" : "read");
}

export function repositoriesOf(world: World, installation: Installation): readonly Repository[] {
  if (installation.selection === "selected") return [...installation.selected];
  return [...world.repositories.values()].filter(
    (repository) => repository.owner === installation.account,
  );
}

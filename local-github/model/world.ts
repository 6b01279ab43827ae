import type { Account, Organization, User } from "./account.ts";
import type { App, AppManifest, Installation, InstallationToken } from "./app.ts";
import type { Budget } from "./budget.ts";
import type { CheckRun, CheckSuite, CommitStatus, LogLink, WorkflowJob } from "./check.ts";
import type { Delivery } from "./delivery.ts";
import type { WorldEvent } from "./event.ts";
import type { Comment, Issue } from "./issue.ts";
import type { MergeQueue, QueueEntry } from "./merge-queue.ts";
import type { DraftIssue, Project, ProjectField, ProjectItem } from "./project.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import type { Label, LfsLink, Repository } from "./repository.ts";

/** Is anything that has a global node id. */
export type Node =
  | User
  | Organization
  | Repository
  | Label
  | Issue
  | PullRequest
  | MergeQueue
  | QueueEntry
  | Comment
  | Review
  | CheckRun
  | CheckSuite
  | CommitStatus
  | Project
  | ProjectField
  | ProjectItem
  | DraftIssue
  | Installation;

/** Holds the state of this GitHub. Read it freely; change it only through `actions/`, which tell the webhooks. */
export interface World {
  /** This is the App that was made last from a manifest, if any was. */
  app: App;
  /** These are the manifests that someone agreed to, by the code that their server exchanges for the App. */
  readonly manifests: Map<string, AppManifest>;
  /** This GitHub listens there; the address has no slash at the end. */
  url: string;
  readonly dataDir: string;
  readonly now: () => number;
  /** It counts how much of the hour's limits everyone has used. */
  readonly budget: Budget;
  lastId: number;
  /** The key is the lower-case login. */
  readonly accounts: Map<string, Account>;
  /** The key is the lower-case owner/name. */
  readonly repositories: Map<string, Repository>;
  /** These are the names that repositories had before, by the lower-case owner/name. They lead on until somebody takes them. */
  readonly formerNames: Map<string, Repository>;
  /** The key of an issue or pull request is its `threadKey`. */
  readonly threads: Map<string, Issue | PullRequest>;
  readonly projects: Project[];
  readonly mergeQueues: MergeQueue[];
  readonly checkSuites: CheckSuite[];
  readonly checkRuns: CheckRun[];
  readonly statuses: CommitStatus[];
  /** These are the jobs of GitHub Actions, by the id of their check run. */
  readonly jobs: Map<number, WorkflowJob>;
  /** The key is the secret part of the address. */
  readonly logLinks: Map<string, LogLink>;
  /** These open objects of Git LFS. The key is the secret part of the address. */
  readonly lfsLinks: Map<string, LfsLink>;
  readonly installations: Installation[];
  readonly tokens: Map<string, InstallationToken>;
  readonly deliveries: Delivery[];
  /** This many landings get the wrong tree, see `Faults.takeBackLandings`. */
  wrongLandings: number;
  readonly nodes: Map<string, Node>;
  readonly listeners: ((event: WorldEvent) => void)[];
}

export function announce(world: World, event: WorldEvent): void {
  for (const listener of world.listeners) listener(event);
}

/** Writes the time as GitHub does: to the second, in UTC. */
export function stamp(world: World): string {
  return isoSeconds(world.now());
}

export function isoSeconds(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, "Z");
}

export function register<T extends Node>(world: World, node: T): T {
  world.nodes.set(node.nodeId, node);
  return node;
}

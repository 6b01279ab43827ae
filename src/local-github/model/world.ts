import type { Budget } from "../limits/budget.ts";
import type { Account, Organization, User } from "./account.ts";
import type { App, AppManifest, Installation, InstallationToken } from "./app.ts";
import type { CheckRun, CheckSuite, CommitStatus } from "./check.ts";
import type { Delivery } from "./delivery.ts";
import type { WorldEvent } from "./event.ts";
import type { Comment, Issue } from "./issue.ts";
import type { MergeQueue, QueueEntry } from "./merge-queue.ts";
import type { DraftIssue, Project, ProjectField, ProjectItem } from "./project.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import type { Label, Repository } from "./repository.ts";

/** Everything that has a global node id. */
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

/** The state of this GitHub. Read it freely; change it only through `actions/`, which tell the webhooks. */
export interface World {
  /** Of the manifest that was made into an App last, if any was. */
  app: App;
  /** Manifests that someone agreed to, by the code that their server exchanges for the App. */
  readonly manifests: Map<string, AppManifest>;
  /** Where it listens, without a slash at the end. */
  url: string;
  readonly dataDir: string;
  readonly now: () => number;
  /** What everyone has used of the hour. */
  readonly budget: Budget;
  lastId: number;
  /** By lower-case login. */
  readonly accounts: Map<string, Account>;
  /** By lower-case owner/name. */
  readonly repositories: Map<string, Repository>;
  /** Issues and pull requests by `threadKey`. */
  readonly threads: Map<string, Issue | PullRequest>;
  readonly projects: Project[];
  readonly mergeQueues: MergeQueue[];
  readonly checkSuites: CheckSuite[];
  readonly checkRuns: CheckRun[];
  readonly statuses: CommitStatus[];
  readonly installations: Installation[];
  readonly tokens: Map<string, InstallationToken>;
  readonly deliveries: Delivery[];
  /** As many landings get the wrong tree, see `Faults.takeBackLandings`. */
  wrongLandings: number;
  readonly nodes: Map<string, Node>;
  readonly listeners: ((event: WorldEvent) => void)[];
}

export function announce(world: World, event: WorldEvent): void {
  for (const listener of world.listeners) listener(event);
}

/** The time as GitHub writes it: seconds, UTC. */
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

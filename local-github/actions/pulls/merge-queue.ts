import { oneAtATime } from "../../git/one-at-a-time.ts";
import type { User } from "../../model/account.ts";
import type { WorldEvent } from "../../model/event.ts";
import { queueEntryOf } from "../../model/find.ts";
import { identity } from "../../model/ids.ts";
import type { MergeQueue, QueueEntry } from "../../model/merge-queue.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { Repository } from "../../model/repository.ts";
import { rulesFor, unmetRequirements } from "../../model/requirements.ts";
import { announce, register, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { advanceQueue, removeEntry } from "./advance-queue.ts";
import { workOutMergeability } from "./mergeability.ts";

interface Enqueueing {
  readonly expectedHead?: string;
  readonly jump: boolean;
  readonly actor: User;
}

/** Adds a pull request to the queue of its base branch, if it already meets the branch's other rules. */
export async function enqueuePullRequest(
  world: World,
  pull: PullRequest,
  wanted: Enqueueing,
): Promise<QueueEntry> {
  return oneAtATime(pull.repository, async () => {
    await workOutMergeability(pull);
    refuse(world, pull, wanted);
    const queue = queueOf(world, pull.repository, pull.baseRef);
    if (queue === undefined) throw new Problem(422, "Pull request Merge queue is not enabled");
    const entry: QueueEntry = register(world, {
      kind: "merge-queue-entry",
      ...identity(world, "MQE"),
      repository: pull.repository,
      queue,
      pull,
      headSha: pull.headSha,
      jump: wanted.jump,
      enqueuer: wanted.actor,
      enqueuedAt: stamp(world),
      group: null,
    });
    if (wanted.jump) queue.entries.unshift(entry);
    else queue.entries.push(entry);
    announce(world, { name: "pull_request", action: "enqueued", pull, sender: wanted.actor });
    return entry;
  });
}

export async function dequeuePullRequest(
  world: World,
  pull: PullRequest,
  actor: User,
): Promise<QueueEntry> {
  return oneAtATime(pull.repository, async () => {
    const entry = queueEntryOf(world, pull);
    if (entry === undefined) throw new Problem(422, "Pull request is not in the merge queue");
    await removeEntry(world, entry, { reason: "MANUAL", actor });
    return entry;
  });
}

function refuse(world: World, pull: PullRequest, wanted: Enqueueing): void {
  if (queueEntryOf(world, pull) !== undefined) {
    throw new Problem(422, "Pull request is already in the queue");
  }
  if (wanted.expectedHead !== undefined && wanted.expectedHead !== pull.headSha) {
    throw new Problem(422, "Head branch was modified. Review and try the merge again.");
  }
  if (pull.state === "closed") throw new Problem(422, "Pull request is closed");
  if (pull.draft) throw new Problem(422, "Pull request is in draft state");
  if (pull.mergeability?.mergeable !== true) {
    throw new Problem(422, "Pull request is not mergeable");
  }
  const unmet = unmetRequirements(world, pull, ({ type }) => type !== "merge_queue");
  if (unmet.length > 0) throw new Problem(422, `Pull request ${unmet.join(" ")}`);
}

/** Finds the queue of a branch that has the rule; answers undefined for other branches. */
export function queueOf(
  world: World,
  repository: Repository,
  branch: string,
): MergeQueue | undefined {
  if (!rulesFor(repository, branch).some(({ type }) => type === "merge_queue")) return undefined;
  const known = world.mergeQueues.find(
    (queue) => queue.repository === repository && queue.branch === branch,
  );
  if (known !== undefined) return known;
  const queue: MergeQueue = register(world, {
    kind: "merge-queue",
    ...identity(world, "MQ"),
    repository,
    branch,
    entries: [],
  });
  world.mergeQueues.push(queue);
  return queue;
}

/** Moves the queues on after any event that one may wait for: its checks, its base branch, its pull requests. */
export async function followQueues(world: World, event: WorldEvent): Promise<void> {
  const repository = repositoryOf(event);
  const queues = world.mergeQueues.filter((queue) => queue.repository === repository);
  for (const queue of queues) {
    if (queue.entries.length === 0) continue;
    await oneAtATime(queue.repository, async () => advanceQueue(world, queue));
  }
}

function repositoryOf(event: WorldEvent): Repository | undefined {
  if (event.name === "pull_request") return event.pull.repository;
  if (event.name === "check_run") return event.run.suite.repository;
  if (event.name === "status") return event.status.repository;
  return event.name === "push" ? event.repository : undefined;
}

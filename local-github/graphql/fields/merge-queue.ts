import type { MergeQueue, QueueEntry } from "../../model/merge-queue.ts";
import { repositoryPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { commitNamed } from "../resolve/git-objects.ts";
import type { Fields } from "../resolve/resolver.ts";

export const mergeQueueFields: Fields<MergeQueue> = {
  id: (queue) => queue.nodeId,
  repository: (queue) => queue.repository,
  url: (queue, _: unknown, { world }) => `${world.url}${queuePath(queue)}`,
  resourcePath: (queue) => queuePath(queue),
  entries: (queue, page: PageArguments) =>
    connection({ name: "entries", all: queue.entries }, page),
};

function queuePath({ repository, branch }: MergeQueue): string {
  return `${repositoryPath(repository)}/queue/${branch}`;
}

export const queueEntryFields: Fields<QueueEntry> = {
  id: (entry) => entry.nodeId,
  position: (entry) => entry.queue.entries.indexOf(entry) + 1,
  state: (entry) => (entry.group === null ? "QUEUED" : "AWAITING_CHECKS"),
  enqueuedAt: (entry) => entry.enqueuedAt,
  enqueuer: (entry) => entry.enqueuer,
  jump: (entry) => entry.jump,
  solo: () => false,
  mergeQueue: (entry) => entry.queue,
  pullRequest: (entry) => entry.pull,
  baseCommit: ({ group, repository }) => group && commitNamed(repository, group.baseSha),
  headCommit: ({ group, repository }) => group && commitNamed(repository, group.headSha),
};

import { queueOf } from "../actions/merge-queue.ts";
import type { MergeQueue } from "../model/merge-queue.ts";
import type { Repository } from "../model/repository.ts";
import type { Viewer } from "./viewer.ts";
import { requireGrant } from "./viewer.ts";

/** Null for a branch without one. */
export function visibleQueue(
  viewer: Viewer,
  repository: Repository,
  branch: string,
): MergeQueue | null {
  requireGrant(viewer, "merge_queues=read", repository);
  return queueOf(viewer.world, repository, branch) ?? null;
}

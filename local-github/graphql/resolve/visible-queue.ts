import { queueOf } from "../../actions/pulls/merge-queue.ts";
import type { MergeQueue } from "../../model/merge-queue.ts";
import type { Repository } from "../../model/repository.ts";
import { requireGrant } from "./viewer.ts";
import type { Viewer } from "./viewer.ts";

/** Finds the queue of a branch; answers null when the branch has none. */
export function visibleQueue(
  viewer: Viewer,
  repository: Repository,
  branch: string,
): MergeQueue | null {
  requireGrant(viewer, "merge_queues=read", repository);
  return queueOf(viewer.world, repository, branch) ?? null;
}

import { dequeuePullRequest, enqueuePullRequest } from "../../actions/pulls/merge-queue.ts";
import { nodeOf } from "../resolve/node-lookup.ts";
import type { Fields } from "../resolve/resolver.ts";
import { requireGrant } from "../resolve/viewer.ts";
import type { Input } from "./input.ts";

interface Enqueue {
  readonly pullRequestId: string;
  readonly expectedHeadOid?: string | null;
  readonly jump?: boolean | null;
}

const NEEDED = "contents=write,pull_requests=write";

export const mergeQueueMutations: Fields<unknown> = {
  enqueuePullRequest: async (_, { input }: Input<Enqueue>, viewer) => {
    const pull = nodeOf(viewer, input.pullRequestId, "pull-request");
    requireGrant(viewer, NEEDED, pull.repository);
    const mergeQueueEntry = await enqueuePullRequest(viewer.world, pull, {
      ...(input.expectedHeadOid && { expectedHead: input.expectedHeadOid }),
      jump: input.jump === true,
      actor: viewer.user,
    });
    return { mergeQueueEntry };
  },
  dequeuePullRequest: async (_, { input }: Input<{ readonly id: string }>, viewer) => {
    const pull = nodeOf(viewer, input.id, "pull-request");
    requireGrant(viewer, NEEDED, pull.repository);
    return { mergeQueueEntry: await dequeuePullRequest(viewer.world, pull, viewer.user) };
  },
};

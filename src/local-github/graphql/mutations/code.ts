import { changeRefs } from "../../actions/change-refs.ts";
import type { MergeMethod } from "../../actions/merge-pull-request.ts";
import { mergePullRequest } from "../../actions/merge-pull-request.ts";
import { ZERO_SHA } from "../../git/refs.ts";
import { nodeOf } from "../node-lookup.ts";
import type { Fields } from "../resolver.ts";
import { requireWrite } from "../viewer.ts";
import type { Input } from "./input.ts";

interface MergeInput {
  readonly pullRequestId: string;
  readonly expectedHeadOid?: string | null;
  readonly mergeMethod?: string | null;
  readonly commitHeadline?: string | null;
  readonly commitBody?: string | null;
}

interface RefUpdateInput {
  readonly name: string;
  readonly beforeOid?: string | null;
  readonly afterOid: string;
  readonly force?: boolean | null;
}

export const codeMutations: Fields<unknown> = {
  mergePullRequest: async (_, { input }: Input<MergeInput>, viewer) => {
    const pull = nodeOf(viewer, input.pullRequestId, "pull-request");
    requireWrite(viewer, "contents", pull.repository);
    await mergePullRequest(viewer.world, pull, {
      method: (input.mergeMethod ?? "MERGE").toLowerCase() as MergeMethod,
      ...(input.expectedHeadOid && { sha: input.expectedHeadOid }),
      ...(typeof input.commitHeadline === "string" && { title: input.commitHeadline }),
      ...(typeof input.commitBody === "string" && { message: input.commitBody }),
      actor: viewer.user,
    });
    return { actor: viewer.user, pullRequest: pull };
  },
  updateRefs: async (
    _,
    {
      input,
    }: Input<{ readonly repositoryId: string; readonly refUpdates: readonly RefUpdateInput[] }>,
    viewer,
  ) => {
    const repository = nodeOf(viewer, input.repositoryId, "repository");
    requireWrite(viewer, "contents", repository);
    await changeRefs(viewer.world, repository, {
      changes: input.refUpdates.map((update) => ({
        name: update.name,
        ...(update.beforeOid && { before: presentOid(update.beforeOid) }),
        after: presentOid(update.afterOid),
        force: update.force === true,
      })),
      actor: viewer.user,
    });
    return {};
  },
};

/** Forty zeros say that there is no ref. */
function presentOid(oid: string): string | null {
  return oid === ZERO_SHA ? null : oid;
}

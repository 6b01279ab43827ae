import { changeRefs } from "../../actions/pulls/change-refs.ts";
import { grants } from "../../auth/permission.ts";
import { ZERO_SHA } from "../../git/refs.ts";
import { nodeOf } from "../resolve/node-lookup.ts";
import type { Fields } from "../resolve/resolver.ts";
import { requireGrant } from "../resolve/viewer.ts";
import type { Input } from "./input.ts";

interface RefsInput {
  readonly repositoryId: string;
  readonly refUpdates: readonly {
    readonly name: string;
    readonly beforeOid?: string | null;
    readonly afterOid: string;
    readonly force?: boolean | null;
  }[];
}

export const refMutations: Fields<unknown> = {
  updateRefs: async (_, { input }: Input<RefsInput>, viewer) => {
    const repository = nodeOf(viewer, input.repositoryId, "repository");
    requireGrant(viewer, "contents=write", repository);
    await changeRefs(viewer.world, repository, {
      changes: input.refUpdates.map((update) => ({
        name: update.name,
        ...(update.beforeOid && { before: presentOid(update.beforeOid) }),
        after: presentOid(update.afterOid),
        force: update.force === true,
      })),
      actor: viewer.user,
      noWorkflows: !grants(viewer.token, "workflows=write"),
    });
    return {};
  },
};

/** Forty zeros say that there is no ref. */
function presentOid(oid: string): string | null {
  return oid === ZERO_SHA ? null : oid;
}

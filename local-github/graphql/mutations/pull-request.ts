import type { MergeMethod } from "../../actions/pulls/landing-commit.ts";
import { mergePullRequest } from "../../actions/pulls/merge-pull-request.ts";
import { openPullRequest } from "../../actions/pulls/open-pull-request.ts";
import { closePullRequest, setDraft } from "../../actions/pulls/pull-state.ts";
import { submitReview } from "../../actions/pulls/reviews.ts";
import type { NewReview } from "../../actions/pulls/reviews.ts";
import { updateBranch } from "../../actions/pulls/update-branch.ts";
import { grants } from "../../auth/permission.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { nodeOf } from "../resolve/node-lookup.ts";
import type { Fields } from "../resolve/resolver.ts";
import { requireGrant } from "../resolve/viewer.ts";
import type { Viewer } from "../resolve/viewer.ts";
import type { Input } from "./input.ts";

interface Named {
  readonly pullRequestId: string;
}

interface NewPullInput {
  readonly repositoryId: string;
  readonly title: string;
  readonly body?: string | null;
  readonly headRefName: string;
  readonly baseRefName: string;
  readonly draft?: boolean | null;
}

interface MergeInput extends Named {
  readonly expectedHeadOid?: string | null;
  readonly mergeMethod?: string | null;
  readonly commitHeadline?: string | null;
  readonly commitBody?: string | null;
}

interface ReviewInput extends Named {
  readonly event?: string | null;
  readonly body?: string | null;
}

const REVIEW_STATES: Readonly<Record<string, NewReview["state"]>> = {
  APPROVE: "APPROVED",
  COMMENT: "COMMENTED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
};

export const pullRequestMutations: Fields<unknown> = {
  createPullRequest: async (_, { input }: Input<NewPullInput>, viewer) => {
    const repository = nodeOf(viewer, input.repositoryId, "repository");
    requireGrant(viewer, "pull_requests=write", repository);
    const pullRequest = await openPullRequest(viewer.world, repository, {
      title: input.title,
      body: input.body ?? null,
      head: input.headRefName,
      base: input.baseRefName,
      draft: input.draft === true,
      actor: viewer.user,
    });
    return { pullRequest };
  },
  addPullRequestReview: (_, { input }: Input<ReviewInput>, viewer) => {
    const pull = granted(viewer, input, "pull_requests=write");
    const state = REVIEW_STATES[input.event ?? ""];
    if (state === undefined) throw new Problem(422, "pending reviews are not modelled here");
    const body = input.body ?? "";
    const review = submitReview(viewer.world, pull, { state, body, actor: viewer.user });
    return { pullRequestReview: review, reviewEdge: { cursor: review.nodeId, node: review } };
  },
  closePullRequest: (_, { input }: Input<Named>, viewer) => {
    const pullRequest = granted(viewer, input, "pull_requests=write");
    closePullRequest(viewer.world, pullRequest, viewer.user);
    return { pullRequest };
  },
  markPullRequestReadyForReview: (_, { input }: Input<Named>, viewer) => {
    const pullRequest = granted(viewer, input, "pull_requests=write");
    setDraft(viewer.world, pullRequest, { draft: false, actor: viewer.user });
    return { pullRequest };
  },
  convertPullRequestToDraft: (_, { input }: Input<Named>, viewer) => {
    const pullRequest = granted(viewer, input, "pull_requests=write");
    setDraft(viewer.world, pullRequest, { draft: true, actor: viewer.user });
    return { pullRequest };
  },
  updatePullRequestBranch: async (
    _,
    { input }: Input<Named & { readonly expectedHeadOid?: string | null }>,
    viewer,
  ) => {
    const pullRequest = granted(viewer, input, "pull_requests=write,contents=write");
    await updateBranch(viewer.world, pullRequest, {
      ...(input.expectedHeadOid && { expectedSha: input.expectedHeadOid }),
      actor: viewer.user,
    });
    return { pullRequest };
  },
  mergePullRequest: async (_, { input }: Input<MergeInput>, viewer) => {
    const pullRequest = granted(viewer, input, "contents=write");
    await mergePullRequest(viewer.world, pullRequest, {
      method: (input.mergeMethod ?? "MERGE").toLowerCase() as MergeMethod,
      ...(input.expectedHeadOid && { sha: input.expectedHeadOid }),
      noWorkflows: !grants(viewer.token, "workflows=write"),
      ...(typeof input.commitHeadline === "string" && { title: input.commitHeadline }),
      ...(typeof input.commitBody === "string" && { message: input.commitBody }),
      actor: viewer.user,
    });
    return { actor: viewer.user, pullRequest };
  },
};

function granted(viewer: Viewer, { pullRequestId }: Named, needed: string): PullRequest {
  const pull = nodeOf(viewer, pullRequestId, "pull-request");
  requireGrant(viewer, needed, pull.repository);
  return pull;
}

import { commitsBetween } from "../../git/history.ts";
import type { User } from "../../model/account.ts";
import { closingReferences } from "../../model/closing-references.ts";
import { queueEntryOf, roleOf } from "../../model/find.ts";
import { mergeState } from "../../model/merge-state.ts";
import { standingReviews } from "../../model/pull-request.ts";
import type { PullRequest, Review } from "../../model/pull-request.ts";
import { rulesFor, unmetReviews } from "../../model/requirements.ts";
import type { BranchRule } from "../../model/rule.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { commitNamed, refNamed } from "../resolve/git-objects.ts";
import type { Fields } from "../resolve/resolver.ts";
import { rollupOf } from "../resolve/rollup.ts";
import { visibleQueue } from "../resolve/visible-queue.ts";
import { threadFields } from "./thread.ts";

type Page = PageArguments;

export const pullRequestFields: Fields<PullRequest> = {
  ...threadFields,
  state: (pull) => (pull.landing === null ? pull.state.toUpperCase() : "MERGED"),
  isDraft: (pull) => pull.draft,
  isCrossRepository: (pull) => pull.headRepository !== pull.repository,
  maintainerCanModify: () => false,
  additions: (pull) => pull.stats.additions,
  deletions: (pull) => pull.stats.deletions,
  changedFiles: (pull) => pull.stats.changedFiles,
  permalink: (pull, args: never, viewer) => threadFields["url"]?.(pull, args, viewer),
  closingIssuesReferences: (pull, page: Page, { world }) => {
    const all = closingReferences(world, pull.repository, pull.body ?? "");
    return connection({ name: "closingIssuesReferences", all }, page);
  },
  ...refFields(),
  ...mergeFields(),
  ...reviewFields(),
};

function refFields(): Fields<PullRequest> {
  return {
    headRefName: (pull) => pull.headRef,
    headRefOid: (pull) => pull.headSha,
    headRef: (pull) => refNamed(pull.headRepository, `refs/heads/${pull.headRef}`),
    headRepository: (pull) => pull.headRepository,
    headRepositoryOwner: (pull) => pull.headRepository.owner,
    baseRefName: (pull) => pull.baseRef,
    baseRefOid: (pull) => pull.baseSha,
    baseRef: (pull) => refNamed(pull.repository, `refs/heads/${pull.baseRef}`),
    baseRepository: (pull) => pull.repository,
    statusCheckRollup: (pull, _: unknown, { world }) =>
      rollupOf(world, commitNamed(pull.repository, pull.headSha)),
    commits: async (pull, page: Page) => {
      const { dir } = pull.repository;
      const commits = await commitsBetween(dir, pull.baseSha, pull.headSha);
      const all = commits.map(({ sha }) => pullRequestCommit(pull, sha));
      return connection({ name: "commits", all }, page);
    },
  };
}

function pullRequestCommit(pull: PullRequest, sha: string): unknown {
  const id = `PURC_${Buffer.from(`${pull.id}:${sha}`).toString("base64url")}`;
  return { id, pullRequest: pull, commit: commitNamed(pull.repository, sha) };
}

function mergeFields(): Fields<PullRequest> {
  return {
    merged: (pull) => pull.landing !== null,
    mergedAt: (pull) => pull.landing?.at ?? null,
    mergedBy: (pull) => pull.landing?.by ?? null,
    mergeCommit: (pull) => pull.landing && commitNamed(pull.repository, pull.landing.sha),
    mergeable: async (pull, _: unknown, { mergeabilityOf }) => {
      const known = await mergeabilityOf(pull);
      if (known === null) return "UNKNOWN";
      return known.mergeable ? "MERGEABLE" : "CONFLICTING";
    },
    canBeRebased: async (pull, _: unknown, { mergeabilityOf }) =>
      (await mergeabilityOf(pull))?.rebaseable ?? false,
    mergeStateStatus: async (pull, _: unknown, { world, mergeabilityOf }) =>
      (await mergeabilityOf(pull)) === null ? "UNKNOWN" : mergeState(world, pull).toUpperCase(),
    isInMergeQueue: (pull, _: unknown, { world }) => queueEntryOf(world, pull) !== undefined,
    isMergeQueueEnabled: (pull) =>
      rulesFor(pull.repository, pull.baseRef).some((rule) => rule.type === "merge_queue"),
    mergeQueue: (pull, _: unknown, viewer) => visibleQueue(viewer, pull.repository, pull.baseRef),
    mergeQueueEntry: (pull, _: unknown, { world }) => queueEntryOf(world, pull) ?? null,
    autoMergeRequest: () => null,
  };
}

function reviewFields(): Fields<PullRequest> {
  return {
    reviewDecision: async (pull, _: unknown, { mergeabilityOf }) => {
      if (needsReviews(pull)) await mergeabilityOf(pull);
      return reviewDecision(pull);
    },
    reviews: (
      pull,
      args: Page & { readonly states?: readonly string[] | null; readonly author?: string | null },
    ) => {
      const all = pull.reviews.filter(
        (review) =>
          (!args.states || args.states.includes(review.state)) &&
          (!args.author || review.author.login === args.author),
      );
      return connection({ name: "reviews", all }, args);
    },
    latestReviews: (pull, page: Page) =>
      connection({ name: "latestReviews", all: lastOfEach(pull.reviews) }, page),
    latestOpinionatedReviews: (pull, page: Page & { readonly writersOnly?: boolean | null }) => {
      const opinions = pull.reviews.filter(
        (review) =>
          review.state !== "COMMENTED" && (!page.writersOnly || mayWrite(pull, review.author)),
      );
      return connection({ name: "latestOpinionatedReviews", all: lastOfEach(opinions) }, page);
    },
    reviewRequests: (_, page: Page) => connection({ name: "reviewRequests", all: [] }, page),
    reviewThreads: (_, page: Page) => connection({ name: "reviewThreads", all: [] }, page),
  };
}

function mayWrite(pull: PullRequest, user: User): boolean {
  return ["write", "maintain", "admin"].includes(roleOf(pull.repository, user));
}

function lastOfEach(reviews: readonly Review[]): readonly Review[] {
  return [...new Map(reviews.map((review) => [review.author.login, review])).values()];
}

function reviewRules({ repository, baseRef }: PullRequest): readonly BranchRule[] {
  return rulesFor(repository, baseRef).filter(
    ({ type, parameters }) =>
      type === "pull_request" && Number(parameters?.["required_approving_review_count"] ?? 0) > 0,
  );
}

function needsReviews(pull: PullRequest): boolean {
  return reviewRules(pull).length > 0;
}

/** Is null unless a rule of the base branch asks for reviews, whatever reviewers said. */
function reviewDecision(pull: PullRequest): string | null {
  if (!needsReviews(pull)) return null;
  const standing = standingReviews(pull);
  if (standing.some((review) => review.state === "CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  const isMet = reviewRules(pull).every((rule) => unmetReviews(pull, rule).length === 0);
  return isMet ? "APPROVED" : "REVIEW_REQUIRED";
}

import { verdictOf } from "./checks-of.ts";
import { roleOf } from "./find.ts";
import { standingReviews } from "./pull-request.ts";
import type { PullRequest, Review } from "./pull-request.ts";
import type { Repository } from "./repository.ts";
import type { BranchRule, RequiredCheck } from "./rule.ts";
import type { World } from "./world.ts";

const TRUSTED = ["write", "maintain", "admin"];

export function rulesFor(repository: Repository, branch: string): readonly BranchRule[] {
  return repository.rules.filter(
    (rule) =>
      rule.branch === branch ||
      rule.branch === "~ALL" ||
      (rule.branch === "~DEFAULT_BRANCH" && branch === repository.defaultBranch),
  );
}

/** Lists, in GitHub's words, the rules of the base branch that a pull request does not meet yet. */
export function unmetRequirements(
  world: World,
  pull: PullRequest,
  holds: (rule: BranchRule) => boolean = () => true,
): readonly string[] {
  const rules = rulesFor(pull.repository, pull.baseRef).filter(holds);
  return rules.flatMap((rule) => {
    switch (rule.type) {
      case "pull_request":
        return unmetReviews(pull, rule);
      case "required_status_checks":
        return [...unmetChecks(world, pull, rule), ...outOfDate(pull, rule)];
      case "merge_queue":
        return ["Changes must be made through the merge queue"];
      case "update":
        return ["Cannot update this protected ref."];
      case "required_signatures":
        return ["Commits must have verified signatures."];
      case "required_linear_history":
      case "non_fast_forward":
      case "deletion":
      case "creation":
        return [];
    }
  });
}

/** Says which reviews are missing by one rule. Code owners are known once it was worked out whether the pull request merges. */
export function unmetReviews(pull: PullRequest, rule: BranchRule): readonly string[] {
  const wanted = Number(rule.parameters?.["required_approving_review_count"] ?? 0);
  const reviews = standingReviews(pull).filter((review) =>
    TRUSTED.includes(roleOf(pull.repository, review.author)),
  );
  if (wanted > 0 && reviews.some((review) => review.state === "CHANGES_REQUESTED")) {
    return ["Changes have been requested."];
  }
  const approvals = reviews.filter((review) => review.state === "APPROVED").length;
  if (approvals < wanted) {
    return [
      `At least ${wanted} approving review${wanted === 1 ? " is" : "s are"} required by reviewers with write access.`,
    ];
  }
  return [...unmetOwners(pull, rule, reviews), ...unmetLastPush(pull, rule, reviews)];
}

function unmetOwners(
  { mergeability }: PullRequest,
  { parameters }: BranchRule,
  reviews: readonly Review[],
): readonly string[] {
  if (parameters?.["require_code_owner_review"] !== true) return [];
  const approvedBy = reviews.filter(isApproval).map(({ author }) => author.login);
  const isMet = (mergeability?.owners ?? []).every((owners) =>
    owners.some((login) => approvedBy.includes(login)),
  );
  return isMet ? [] : ["Waiting on code owner review."];
}

function unmetLastPush(
  { lastPush, reviews: all }: PullRequest,
  { parameters }: BranchRule,
  reviews: readonly Review[],
): readonly string[] {
  if (parameters?.["require_last_push_approval"] !== true) return [];
  const isMet = reviews.some(
    (one) =>
      isApproval(one) && one.author !== lastPush.by && all.indexOf(one) >= lastPush.afterReviews,
  );
  return isMet ? [] : ["New changes require approval from someone other than the last pusher."];
}

function isApproval({ state }: Review): boolean {
  return state === "APPROVED";
}

function unmetChecks(world: World, pull: PullRequest, rule: BranchRule): readonly string[] {
  const commit = { world, repository: pull.repository, sha: pull.headSha };
  return requiredChecks(rule).flatMap((check) => {
    switch (verdictOf(commit, check.context, check.integration_id)) {
      case "passing":
        return [];
      case "missing":
        return [`Required status check "${check.context}" is expected.`];
      case "pending":
        return [`Required status check "${check.context}" is in progress.`];
      case "failing":
        return [`Required status check "${check.context}" is failing.`];
    }
  });
}

function outOfDate(pull: PullRequest, rule: BranchRule): readonly string[] {
  const strict = rule.parameters?.["strict_required_status_checks_policy"] === true;
  return strict && pull.mergeability?.behind === true
    ? ["This branch must be up to date with the base branch before merging."]
    : [];
}

export function requiredChecks(rule: BranchRule): readonly RequiredCheck[] {
  const checks = rule.parameters?.["required_status_checks"];
  return Array.isArray(checks) ? (checks as readonly RequiredCheck[]) : [];
}

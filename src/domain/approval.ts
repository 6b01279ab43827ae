import type { PullRequest } from "./board.ts";

/** Enough people approved it, whatever was pushed since. */
export function hasApprovals({ review, approvedBy }: PullRequest, approvals: number): boolean {
  return review === "approved" && approvedBy.length >= approvals;
}

/** Enough people approved what it has now: no reviewer is waited for any more. */
export function isApproved(pull: PullRequest, approvals: number): boolean {
  return hasApprovals(pull, approvals) && pull.approvedHead === pull.head;
}

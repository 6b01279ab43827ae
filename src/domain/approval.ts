import type { PullRequest } from "./board.ts";

export interface ApprovalRule {
  /** How many are needed. */
  readonly approvals: number;
  /** Programs whose approval counts like a person's. */
  readonly approvingBots: readonly string[];
}

/** Whose approval counts. */
export function approversOf(
  { approvedBy, approvedByBots }: PullRequest,
  { approvingBots }: Pick<ApprovalRule, "approvingBots">,
): readonly string[] {
  const named = new Set(approvingBots.map(withoutMark));
  return [...approvedBy, ...approvedByBots.filter((bot) => named.has(withoutMark(bot)))];
}

/** GitHub calls the same program `name` in one of its interfaces and `name[bot]` in the other. */
function withoutMark(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}

/** Enough people approved it, whatever was pushed since. */
export function hasApprovals(pull: PullRequest, rule: ApprovalRule): boolean {
  return pull.review === "approved" && approversOf(pull, rule).length >= rule.approvals;
}

/** Enough people approved what it has now: no reviewer is waited for any more. */
export function isApproved(pull: PullRequest, rule: ApprovalRule): boolean {
  return hasApprovals(pull, rule) && pull.approvedHead === pull.head;
}

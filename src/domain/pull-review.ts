import type { PullRequest } from "./board.ts";

/** This is a remark on a line of the change. */
export interface LineComment {
  readonly path: string;
  /** It is undefined for a remark on the whole file, or on a line that is no longer there. */
  readonly line: number | undefined;
  readonly text: string;
  readonly at: number;
}

/** Someone said this about a pull request in one go. */
export interface PullReview {
  readonly id: string;
  /** It is undefined for an account that is gone. */
  readonly by: string | undefined;
  /** A program gave it. */
  readonly automated: boolean;
  readonly state: "approved" | "changes-requested" | "commented" | "dismissed";
  readonly body: string;
  readonly comments: readonly LineComment[];
  readonly at: number;
}

/** This check, or status, of the pull request's head ended badly. */
export interface FailedCheck {
  readonly id: number;
  readonly name: string;
  /** It has the check's own words, if there are any. */
  readonly text: string;
  /** So many remarks on lines can be read. */
  readonly remarkCount: number;
  /** It is a job of GitHub Actions, so there is a log. */
  readonly isJob: boolean;
  readonly at: number;
}

/** This can be learned about a failed check besides its own words. */
export interface CheckEvidence {
  readonly remarks: readonly CheckRemark[];
  /** These are the failed steps of the check's job, where its log can be read. */
  readonly steps: readonly FailedStep[];
}

/** A check has this to say about a line. GitHub calls it an annotation. */
export interface CheckRemark {
  readonly path: string;
  readonly line: number;
  /** This is GitHub's word: `failure`, `warning` or `notice`. */
  readonly level: string;
  readonly text: string;
}

export interface FailedStep {
  readonly name: string;
  /** This is the end of its log. */
  readonly log: string;
}

export interface ApprovalRule {
  /** So many approvals are needed. */
  readonly approvals: number;
  /** The approval of these programs counts like a person's. */
  readonly approvingBots: readonly string[];
}

/** Returns those whose approval counts. */
export function approversOf(
  { approvedBy, approvedByBots }: PullRequest,
  { approvingBots }: Pick<ApprovalRule, "approvingBots">,
): readonly string[] {
  const named = new Set(approvingBots.map(withoutMark));
  return [...approvedBy, ...approvedByBots.filter((bot) => named.has(withoutMark(bot)))];
}

/** Tells whether enough people approved it, whatever was pushed since. */
export function hasApprovals(pull: PullRequest, rule: ApprovalRule): boolean {
  return pull.review === "approved" && approversOf(pull, rule).length >= rule.approvals;
}

/** Tells whether enough people approved its present head: it waits for no reviewer any more. */
export function isApproved(pull: PullRequest, rule: ApprovalRule): boolean {
  return hasApprovals(pull, rule) && pull.approvedHead === pull.head;
}

/** GitHub calls the same program `name` in one of its interfaces and `name[bot]` in the other. */
function withoutMark(login: string): string {
  return login.replace(/\[bot\]$/, "").toLowerCase();
}

export type RuleType =
  | "pull_request"
  | "required_status_checks"
  | "required_linear_history"
  | "required_signatures"
  | "non_fast_forward"
  | "deletion"
  | "update"
  | "creation"
  | "merge_queue";

export interface RequiredCheck {
  readonly context: string;
  readonly integration_id?: number;
}

/** Is one active rule for a branch, as `GET /repos/{owner}/{repo}/rules/branches/{branch}` shows it. */
export interface BranchRule {
  readonly type: RuleType;
  readonly branch: string;
  readonly rulesetId: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The rule does not hold back the Apps with these ids. */
  readonly bypassAppIds?: readonly number[];
}

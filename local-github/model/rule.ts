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
  /** It is a part of classic branch protection, which is told by the branch itself and not among the rules of rulesets. */
  readonly classic?: boolean;
  /** The rule does not hold back people with these logins. */
  readonly bypassLogins?: readonly string[];
  /** The rule does not hold back administrators. */
  readonly sparesAdmins?: boolean;
}

/** Are the options of classic branch protection, as far as they are modelled. */
export interface ClassicProtection {
  readonly reviews?: {
    readonly count: number;
    readonly dismissStale?: boolean;
    readonly codeOwners?: boolean;
    readonly lastPush?: boolean;
  };
  readonly checks?: { readonly contexts: readonly string[]; readonly strict?: boolean };
  readonly enforceAdmins?: boolean;
  readonly signatures?: boolean;
  readonly linear?: boolean;
  /** Only these may push or merge; without it, everybody with write access may. */
  readonly pushers?: { readonly logins?: readonly string[]; readonly appIds?: readonly number[] };
}

/** Translates classic protection into rules: it holds people back in the same ways, only its words and where it is told differ. */
export function classicRules(
  branch: string,
  options: ClassicProtection,
): readonly Omit<BranchRule, "rulesetId">[] {
  const part = (type: RuleType, parameters?: BranchRule["parameters"]) => ({
    type,
    branch,
    classic: true,
    sparesAdmins: options.enforceAdmins !== true,
    ...(parameters !== undefined && { parameters }),
  });
  const { reviews, checks, pushers } = options;
  return [
    part("non_fast_forward"),
    part("deletion"),
    ...(reviews === undefined ? [] : [part("pull_request", reviewParameters(reviews))]),
    ...(checks === undefined ? [] : [part("required_status_checks", checkParameters(checks))]),
    ...(options.signatures === true ? [part("required_signatures")] : []),
    ...(options.linear === true ? [part("required_linear_history")] : []),
    ...(pushers === undefined
      ? []
      : [
          {
            ...part("update"),
            bypassLogins: pushers.logins ?? [],
            bypassAppIds: pushers.appIds ?? [],
          },
        ]),
  ];
}

function reviewParameters(reviews: NonNullable<ClassicProtection["reviews"]>) {
  return {
    required_approving_review_count: reviews.count,
    dismiss_stale_reviews_on_push: reviews.dismissStale === true,
    require_code_owner_review: reviews.codeOwners === true,
    require_last_push_approval: reviews.lastPush === true,
  };
}

function checkParameters(checks: NonNullable<ClassicProtection["checks"]>) {
  return {
    strict_required_status_checks_policy: checks.strict === true,
    required_status_checks: checks.contexts.map((context) => ({ context })),
  };
}

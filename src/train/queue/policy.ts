import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { LandingMethod } from "../../domain/entry.ts";
import type { Sha } from "../../domain/ids.ts";
import type { RetryPolicy } from "../../domain/retry.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { BranchRules, RequiredCheck } from "../../ports/github.ts";
import { CHECK_NAME } from "../../report/render/render-check.ts";
import { digest } from "../../shared/digest.ts";

export type LandingMode = "fast-forward" | "merge-api" | "merge-queue";

/** Says how one base branch's train works: it is the configuration, as far as the branch's rules allow it. */
export interface TrainPolicy {
  readonly landing: LandingMode;
  readonly method: LandingMethod;
  readonly approvals: number;
  readonly approvingBots: readonly string[];
  readonly batch: number;
  readonly window: number;
  readonly land: RepoConfig["land"];
  /** Nothing lands unless something can verify a candidate. */
  readonly verifiable: boolean;
  /** The base branch itself is verified before anything is put on top of it. */
  readonly baseline: boolean;
  readonly checks: readonly RequiredCheck[];
  /** A rule of the branch asks for the app's own check run. */
  readonly needsOurCheck: boolean;
  /** GitHub merges only when others have reported these checks on the pull request's head. */
  readonly required: readonly RequiredCheck[];
  /** GitHub may ask for checks, or for a branch that is up to date, before it merges. */
  readonly asksForChecks: boolean;
  /** The rules forbid what would land: commits that nobody signed, or a merge commit on a linear history. */
  readonly forbids: "unsigned" | "merge-commit" | undefined;
}

export function trainPolicy(config: RepoConfig, rules: BranchRules): TrainPolicy {
  const { train, merge, land, verify, allowUnverified } = config;
  const landing = landingMode(train.landing, rules);
  // In the other modes GitHub makes the landing commit by itself, so nothing can be built on top of it in advance.
  const oneByOne = landing !== "fast-forward";
  const checks = train.checks.map(checkFromText);
  return {
    landing,
    method: merge,
    approvals: Math.max(train.approvals, rules.approvals),
    approvingBots: train.approvingBots,
    batch: oneByOne ? 1 : train.batch,
    window: oneByOne ? 1 : train.window,
    land,
    verifiable: verify !== undefined || checks.length > 0 || allowUnverified,
    baseline: verify !== undefined,
    checks,
    needsOurCheck: rules.checks.some(({ name }) => name === CHECK_NAME),
    required: oneByOne ? rules.checks.filter(({ name }) => name !== CHECK_NAME) : [],
    asksForChecks: oneByOne && rules.checks.length > 0,
    forbids: forbiddenBy(config, rules),
  };
}

/** Who chose how to land knows of a right to pass by the rules. */
function forbiddenBy({ train, merge }: RepoConfig, rules: BranchRules): TrainPolicy["forbids"] {
  if (train.landing !== "auto" || rules.mergeQueue) return undefined;
  if (rules.signatures) return "unsigned";
  return rules.linear && merge === "merge" ? "merge-commit" : undefined;
}

export function retryPolicy(
  { config }: RepoContext,
  { operator }: Pick<Deps, "operator">,
): RetryPolicy {
  return {
    attempts: config.limits.attempts,
    backoffMs: operator.retry.backoff,
    maxBackoffMs: operator.retry.maxBackoff,
  };
}

/** Identifies the commands and checks of a verdict: a verdict on a tree counts only for the same ones. */
export function commandHash({ setup, verify, train }: RepoConfig): string {
  const { checks, minVerifyTime } = train;
  return digest({ setup: setup ?? null, verify: verify ?? null, checks, minVerifyTime });
}

/** GitHub refused a change of workflow files: no other circumstance matters than the permission for them. */
export const FOR_WORKFLOWS = "workflows";

/** Identifies what GitHub's refusal may rest on: the base, its rules, and who approved. When one of them changes, asking again makes sense. */
export function circumstances(of: {
  readonly base: Sha | undefined;
  readonly policy: TrainPolicy;
  readonly approvedBy: readonly string[];
}): string {
  const { base, policy, approvedBy } = of;
  return digest({ base: base ?? null, policy, approvedBy: approvedBy.toSorted() });
}

/** The text is `name` or `name@app-id`. */
export function checkFromText(text: string): RequiredCheck {
  const [, name = text, app] = /^(.+)@(\d+)$/.exec(text) ?? [];
  return { name, app: app === undefined ? undefined : Number(app) };
}

function landingMode(wanted: RepoConfig["train"]["landing"], rules: BranchRules): LandingMode {
  if (wanted !== "auto") return wanted;
  if (rules.mergeQueue) return "merge-queue";
  return rules.restricted ? "merge-api" : "fast-forward";
}

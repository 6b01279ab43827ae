import type { RepoConfig } from "../config/schema.ts";
import type { LandingMethod } from "../domain/entry.ts";
import { CHECK_NAME } from "../report/render-check.ts";
import type { BranchRules, RequiredCheck } from "../ports/github.ts";

export type LandingMode = "fast-forward" | "merge-api" | "merge-queue";

/** How one base branch's train works: the configuration, as far as the branch's rules let it. */
export interface TrainPolicy {
  readonly landing: LandingMode;
  readonly method: LandingMethod;
  readonly approvals: number;
  readonly approvingBots: readonly string[];
  readonly batch: number;
  readonly window: number;
  readonly land: RepoConfig["land"];
  /** Whether anything would verify a candidate: without it nothing lands. */
  readonly verifiable: boolean;
  /** Whether the base branch itself is verified before anything is put on top of it. */
  readonly baseline: boolean;
  readonly checks: readonly RequiredCheck[];
  /** A rule of the branch asks for the app's own check run. */
  readonly needsOurCheck: boolean;
}

export function trainPolicy(config: RepoConfig, rules: BranchRules): TrainPolicy {
  const { train, merge, land, verify, allowUnverified } = config;
  const landing = landingMode(train.landing, rules);
  // GitHub makes the commit by itself there: what would come on top of it cannot be built before.
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
  };
}

function landingMode(wanted: RepoConfig["train"]["landing"], rules: BranchRules): LandingMode {
  if (wanted !== "auto") return wanted;
  if (rules.mergeQueue) return "merge-queue";
  return rules.restricted ? "merge-api" : "fast-forward";
}

/** `name`, or `name@app-id`. */
export function checkFromText(text: string): RequiredCheck {
  const [, name = text, app] = /^(.+)@(\d+)$/.exec(text) ?? [];
  return { name, app: app === undefined ? undefined : Number(app) };
}

import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { BranchRules } from "../../ports/github.ts";
import { trainPolicy } from "../../train/queue/policy.ts";
import type { TrainPolicy } from "../../train/queue/policy.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";
import type { RepoDetails } from "./repo-reading.ts";

/** Decides whether a change that is verified and approved could land. */
export function decideLanding(details: RepoDetails, about: string): readonly Finding[] {
  return [...verifyFindings(details.config, about), ...baseFindings(details, about)];
}

function baseFindings(details: RepoDetails, about: string): readonly Finding[] {
  const { config, base, branch, rules } = details;
  const say = reporterOf({ check: "base-branch", about });
  if (!branch.ok) {
    const message = `the branch ${base} cannot be read: ${refusalWords(branch.error)}`;
    return [say.problem(message, refusalFix(branch.error))];
  }
  if (branch.value === undefined) {
    return [
      say.problem(`there is no branch ${base}`, "push it, or set `base` to one that there is"),
    ];
  }
  if (rules.ok) {
    const isProtected = branch.value.protected;
    return branchFindings({ config, base, rules: rules.value, isProtected, about });
  }
  const message = `the rules of ${base} cannot be read: ${refusalWords(rules.error)}`;
  return [say.problem(message, refusalFix(rules.error))];
}

function verifyFindings(config: RepoConfig, about: string): readonly Finding[] {
  const say = reporterOf({ check: "verify", about });
  const { verify, train, allowUnverified } = config;
  if (verify !== undefined) return [say.ok("what lands is verified by the repository's command")];
  if (train.checks.length > 0)
    return [say.ok(`what lands is verified by ${train.checks.join(", ")}`)];
  const fix = "set `verify` in .github/wavetrain.yml, e.g. `verify: npm ci && npm test`";
  return [
    allowUnverified
      ? say.warning("changes land unverified (allowUnverified)", fix)
      : say.problem("nothing says how a change is verified: nothing will land", fix),
  ];
}

interface Branch {
  readonly config: RepoConfig;
  readonly base: string;
  readonly rules: BranchRules;
  readonly isProtected: boolean;
  readonly about: string;
}

function branchFindings(branch: Branch): readonly Finding[] {
  const { config, base, rules, about } = branch;
  const say = reporterOf({ check: "base-branch", about });
  const against = obstacles(branch);
  if (against.length > 0) {
    return against.map(([message, fix]) => say.problem(`${base} ${message}`, fix));
  }
  const policy = trainPolicy(config, rules);
  return [say.ok(wayOf(base, policy, rules)), ...unknownRules(branch)];
}

/** Of classic protection the app reads its existence and its checks: the rest is learned when GitHub refuses. */
function unknownRules({ base, rules, isProtected, about }: Branch): readonly Finding[] {
  if (!rules.signatures) return [];
  const message = `${base} takes signed commits only, and the app does not sign: GitHub refuses what it lands`;
  const fix = "take required signatures off the branch, or land its pull requests by hand";
  return isProtected ? [reporterOf({ check: "base-branch", about }).problem(message, fix)] : [];
}

const BYPASS = "let the app bypass the branch's rules";

/** Returns pairs of what is wrong and what to do about it. */
function obstacles({ config, rules }: Branch): readonly (readonly [string, string])[] {
  const { train, merge, land } = config;
  const { restricted, mergeQueue, linear } = rules;
  const wants = (...ways: readonly string[]): boolean => ways.includes(train.landing);
  const all: readonly (readonly [boolean, string, string])[] = [
    [
      wants("fast-forward") && restricted,
      "may not be moved directly",
      `set train.landing to auto, or ${BYPASS}`,
    ],
    [
      wants("merge-queue") && !mergeQueue,
      "has no merge queue",
      "set train.landing to auto, or require a merge queue",
    ],
    [
      wants("fast-forward", "merge-api") && mergeQueue,
      "has a merge queue that lets nothing past it",
      "set train.landing to auto",
    ],
    [
      land === "commit" && (restricted || mergeQueue),
      "takes pull requests only",
      `set land to pull-request, or ${BYPASS}`,
    ],
    [merge === "merge" && linear, "wants a linear history", "set merge to squash or rebase"],
  ];
  return all.flatMap(([applies, what, fix]) => (applies ? [[what, fix] as const] : []));
}

const WAYS: Readonly<Record<TrainPolicy["landing"], string>> = {
  "fast-forward": "a fast-forward to exactly what was verified",
  "merge-api": "GitHub's merge, since its rules forbid to move it directly",
  "merge-queue": "GitHub's merge queue",
};

function wayOf(base: string, policy: TrainPolicy, { checks }: BranchRules): string {
  const approvals = `${policy.approvals} ${policy.approvals === 1 ? "approval" : "approvals"}`;
  const after = policy.land === "commit" ? "without a pull request" : `after ${approvals}`;
  const names = checks.map(({ name }) => name).join(", ");
  const required = checks.length === 0 ? "" : `; required checks: ${names}`;
  return `${base}: changes land ${after} by ${WAYS[policy.landing]}${required}`;
}

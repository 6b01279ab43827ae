import type { Difference, Reasons } from "../../config/repository/differences.ts";
import { defaultRepoConfig } from "../../config/repository/read-repo-config.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { Result } from "../../shared/result.ts";
import {
  operatorSettings,
  runnersWork,
  TRIAL_REASONS,
  TYPED_RUNNER,
  typedWork,
} from "../trial/operator-settings.ts";
import type { StagePlace } from "../trial/stage.ts";
import type { ExploreOptions, WantedLimits } from "./explore-options.ts";

export const SCORE_NAME = "given";
/** The repository's own settings may call labels and columns otherwise, and name a runner that is not here. */
const { labels: LABELS, board: BOARD } = defaultRepoConfig();
export const ISSUE_LABELS: readonly string[] = [LABELS.explore, LABELS.parallelSafe];

export const EXPLORE_REASONS: Reasons = {
  ...TRIAL_REASONS,
  sandbox: "a typed command has none, and neither has a host without bubblewrap",
  home: "asked for by --home user",
  finishing: "as many are scored at the same time as --max-parallel-evals says",
  "repositories.*.timeouts": "asked for by --eval-timeout-seconds",
};

/** The plan says these at length. */
const SAID_BY_PLAN = /^repositories\.\*\.(?:explore|base|runner)(?:\.|$)/;

/** A typed exploration is confirmed: it is below this whatever it costs. */
const NEVER_ASKED = { evaluations: 1_000_000, usd: 1_000_000_000 };

/** The default says how many changes are collected and scored at the same time. */
const USUAL_FINISHING = 2;

/** These are the usual limits, which a longer one for evaluations must not run into. */
const USUAL_TIMEOUTS = { run: 3_600_000, idle: 600_000, verify: 1_800_000 };

/** Puts together what the app is told, or says what does not go together. */
export async function exploreConfig(
  options: ExploreOptions,
  place: StagePlace,
): Promise<Result<OperatorConfig, string>> {
  const { command, runner, limits } = options;
  const { parallel: slots } = limits;
  const work =
    runner === undefined
      ? typedWork({ ...options, command: command ?? "" })
      : await runnersWork(runner, options, place);
  const repository = exploreSettings(options);
  const further = slots > USUAL_FINISHING ? { finishing: slots } : {};
  return operatorSettings({ options, work, slots, repository, further }, place);
}

/** These settings are laid over the repository's own. */
export function exploreSettings(options: ExploreOptions): Readonly<Record<string, unknown>> {
  const { branch, runner, setup, verify, score, limits } = options;
  const { timeoutMs, parallel } = limits;
  const timed = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  return {
    base: branch,
    labels: LABELS,
    board: { ...BOARD, kind: "project" },
    runner: runner?.name ?? TYPED_RUNNER,
    land: "pull-request",
    ...(setup !== undefined && { setup }),
    ...(verify === undefined ? { allowUnverified: true } : { verify }),
    limits: { parallel },
    scores: { [SCORE_NAME]: { ...score, files: [...score.files], ...timed } },
    explore: { ...exploringSettings(limits), ...timed },
    ...(timeoutMs !== undefined && { timeouts: timeoutsFor(timeoutMs) }),
  };
}

function exploringSettings(limits: WantedLimits): Readonly<Record<string, unknown>> {
  const { depth, beam, parallel, perNode, retries, patience, strict } = limits;
  return {
    score: SCORE_NAME,
    parallel,
    confirmAbove: NEVER_ASKED,
    ...(depth !== undefined && { depth }),
    ...(beam !== undefined && { beam }),
    ...(perNode !== undefined && { perNode }),
    ...(retries !== undefined && { retries }),
    ...(patience !== undefined && { patience }),
    ...(strict && { strict }),
  };
}

function timeoutsFor(timeoutMs: number): Readonly<Record<string, number>> {
  const longer = Object.entries(USUAL_TIMEOUTS).filter(([, usual]) => usual < timeoutMs);
  return Object.fromEntries(longer.map(([name]) => [name, timeoutMs]));
}

export function worthSaying(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ path }) => !SAID_BY_PLAN.test(path));
}

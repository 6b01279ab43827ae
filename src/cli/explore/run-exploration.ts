import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { taskIdOf } from "../../domain/ids.ts";
import { examineBase } from "../trial/check-base.ts";
import type { BaseFailure } from "../trial/check-base.ts";
import { repositoryName } from "../trial/find-source.ts";
import { dataDirOf } from "../trial/operator-settings.ts";
import { removeApp } from "../trial/remove-app.ts";
import { AUTHOR, repositoryOf, setStage } from "../trial/stage.ts";
import type { Stage } from "../trial/stage.ts";
import type { TrialStart } from "../trial/start-lines.ts";
import { ExplorationWatch, endOf } from "./exploration-watch.ts";
import type { ExploreEnd, ExploreView } from "./exploration-watch.ts";
import { EXPLORE_REASONS, exploreConfig, worthSaying } from "./explore-config.ts";
import { exploreIssue } from "./explore-issue.ts";
import type { ExploreOptions } from "./explore-options.ts";
import { failedRuns } from "./failed-runs.ts";

const POLL_EVERY_MS = 100;

export interface ExploreProgress extends ExploreView {
  readonly startedAt: number;
  readonly now: number;
}

export interface ExploreHooks {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** It stops the exploration, and the best so far is taken. */
  readonly stop: AbortSignal;
  /** It ends everything at once. */
  readonly kill: AbortSignal;
  /** It is called once, when the board can be looked at. */
  started(stage: TrialStart): void;
  /** It hears how the check of the base goes. */
  checksBase(words: string, elapsedMs: number): void;
  basePassed(words: string): void;
  progress(progress: ExploreProgress): void;
  /** It is called once when nothing more is begun, and what runs is being ended. */
  stopping(): void;
}

export interface ExploreOutcome {
  /** It is undefined where somebody ended it before it had ended, or it was not begun. */
  readonly end: ExploreEnd | undefined;
  /** It is set where the base itself is red. */
  readonly base: BaseFailure | undefined;
  readonly view: ExploreView;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly apiCalls: ReturnType<Stage["github"]["calls"]>;
  readonly interrupted: boolean;
  readonly folder: string;
  /** The winner's branch is here; it is undefined where there is none. */
  readonly repo: string | undefined;
  /** The logs of what failed are here; it is undefined where nothing did. */
  readonly logs: string | undefined;
}

/** Explores on a GitHub of our own: opens the issue, moves its card to Ready, waits for a winner. */
export async function runExploration(
  options: ExploreOptions,
  hooks: ExploreHooks,
): Promise<ExploreOutcome> {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-explore-"));
  try {
    const stage = await setStageFor(options, hooks, folder);
    const outcome = await exploreOn(stage, hooks, { options, folder });
    return options.keep ? { ...outcome, ...allOf(stage, folder) } : await tidy(stage, outcome);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Trial {
  readonly options: ExploreOptions;
  readonly folder: string;
}

async function setStageFor(
  options: ExploreOptions,
  { environment, log }: ExploreHooks,
  folder: string,
): Promise<Stage> {
  return setStage({
    folder,
    port: options.port,
    environment,
    log,
    source: { name: repositoryName(options.repo), from: options.repo },
    issues: [exploreIssue(options)],
    reasons: EXPLORE_REASONS,
    configOf: async (place) => {
      const config = await exploreConfig(options, place);
      if (!config.ok) throw new Error(config.error);
      return config.value;
    },
  });
}

async function exploreOn(
  stage: Stage,
  hooks: ExploreHooks,
  trial: Trial,
): Promise<Omit<ExploreOutcome, "repo" | "logs">> {
  try {
    const { app, github } = stage;
    const differences = worthSaying(stage.differences);
    hooks.started({ boardUrl: github.pagesUrl, sandbox: app.sandbox, differences });
    const base = await examineBase(stage, { ...trial, ...hooks, signal: hooks.stop });
    const startedAt = Date.now();
    const isBegun = base === undefined && !hooks.stop.aborted;
    const { end, view } = isBegun ? await follow(stage, hooks, startedAt) : NOT_BEGUN;
    const times = { startedAt, finishedAt: Date.now() };
    const { folder } = trial;
    const interrupted = hooks.stop.aborted;
    return { end, base, view, ...times, apiCalls: github.calls(), interrupted, folder };
  } finally {
    await stage.close();
  }
}

interface Followed {
  readonly end: ExploreEnd | undefined;
  readonly view: ExploreView;
}

const NOT_BEGUN: Followed = {
  end: undefined,
  view: { task: undefined, exploration: undefined, runs: [] },
};

/** Moves the card, and looks on until it has ended or somebody ends it. */
async function follow(stage: Stage, hooks: ExploreHooks, startedAt: number): Promise<Followed> {
  const { github, app, issues } = stage;
  const [issue] = issues;
  if (issue === undefined) throw new Error("the local GitHub has no issue");
  const repo = repositoryOf(stage);
  const watch = new ExplorationWatch(app, { repo, task: taskIdOf(repo, issue.number) });
  github.as(AUTHOR).moveCard(issue, "Ready");
  let isStopping = false;
  while (!hooks.kill.aborted) {
    const view = await watch.read();
    hooks.progress({ ...view, startedAt, now: Date.now() });
    const end = endOf(view);
    if (end !== undefined) return { end, view };
    if (hooks.stop.aborted && !isStopping) {
      // Before the first level is open there is nothing that could be kept.
      if (view.exploration === undefined) return { end: undefined, view };
      isStopping = true;
      hooks.stopping();
      github.as(AUTHOR).comment(issue, "/cancel");
    }
    await sleep(POLL_EVERY_MS);
  }
  return { end: undefined, view: watch.view };
}

type Kept = Pick<ExploreOutcome, "repo" | "logs">;

function allOf({ repository }: Stage, folder: string): Kept {
  return { repo: repository.dir, logs: join(dataDirOf({ folder }), "logs") };
}

/** Without a winner nothing is left to pull; whoever reads why something failed finds its log. */
async function tidy(
  stage: Stage,
  outcome: Omit<ExploreOutcome, keyof Kept>,
): Promise<ExploreOutcome> {
  const { folder, end, base, view } = outcome;
  const { repo, logs } = allOf(stage, folder);
  const hasWinner = end?.kind === "winner";
  const hasFailures = failedRuns(view).length > 0;
  await removeApp(dataDirOf({ folder }), hasFailures);
  if (!hasWinner) await rm(join(folder, "github"), { recursive: true, force: true });
  if (!hasWinner && !hasFailures && base?.log === undefined)
    await rm(folder, { recursive: true, force: true });
  return {
    ...outcome,
    repo: hasWinner ? repo : undefined,
    logs: hasFailures ? logs : undefined,
  };
}

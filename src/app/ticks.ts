import type { Instant, RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import { concerns } from "../intake/signals.ts";
import type { LaneName, Tick } from "../loop/lane.ts";
import type { LoopOptions } from "../loop/loop.ts";
import { oneTickPerRepo } from "../loop/one-tick-per-repo.ts";
import { report as reportObjectives } from "../objectives/report/report-objectives.ts";
import type { Deps, RepoContext, WakeReason } from "../ports/deps.ts";
import { Reporter } from "../report/reporter.ts";
import { AppError } from "../shared/app-error.ts";
import { noKnowledge } from "./knowledge.ts";
import type { Knowledge } from "./knowledge.ts";
import { PassMemory, runStages } from "./pass.ts";
import type { Pass, Stage, StageDeps, WakeLane } from "./pass.ts";
import type { Settings } from "./repositories/settings.ts";
import { STAGES } from "./stages.ts";

export interface RepoTicks {
  /** Forgets what the lanes know of a repository between ticks, because another one may have its name next. */
  readonly forget: (repo: RepoName) => void;
  readonly ticks: LoopOptions["ticks"];
  readonly reporter: Reporter;
}

interface Parts {
  readonly settings: Pick<Settings, "contextOf">;
  readonly wakeLane: WakeLane;
}

/** Makes the ticks of all lanes. The lanes of a repository hand over through the store and what the last look found. */
export function createTicks(parts: Parts, deps: Deps): RepoTicks {
  const known = new Map<RepoName, Knowledge>();
  const knownOf = (repo: RepoName): Knowledge => {
    const knowledge = known.get(repo) ?? noKnowledge();
    known.set(repo, knowledge);
    return knowledge;
  };
  const reporter = new Reporter(deps, reportObjectives);
  const stageDeps: StageDeps = { ...deps, reporter };
  const tickOf = (lane: LaneName): Tick => {
    const own = STAGES.filter((stage) => stage.lane === lane);
    return (repo, news) =>
      tick({ lane, stages: own, repo, news, known: knownOf(repo) }, parts, stageDeps);
  };
  return {
    forget: (repo) => {
      known.delete(repo);
      reporter.forget(repo);
    },
    reporter,
    ticks: {
      look: oneTickPerRepo("look", tickOf("look"), deps),
      start: oneTickPerRepo("start", tickOf("start"), deps),
      // The train has a lease of its own.
      land: tickOf("land"),
      report: oneTickPerRepo("report", tickOf("report"), deps),
    },
  };
}

/** These lanes go by what the lane writes. */
const LANES_AFTER: Readonly<Record<LaneName, readonly LaneName[]>> = {
  look: ["start", "land", "report"],
  start: ["report"],
  land: [],
  report: [],
};

interface Ticking {
  readonly lane: LaneName;
  readonly stages: readonly Stage[];
  readonly repo: RepoName;
  readonly news: WakeReason;
  readonly known: Knowledge;
}

async function tick(
  ticking: Ticking,
  { settings, wakeLane }: Parts,
  deps: StageDeps,
): Promise<Instant | undefined> {
  const { lane, stages, repo, news, known } = ticking;
  const before = { ...known };
  const isNews = lane === "look" && (known.unread || news === "github-changed");
  const signals = isNews ? await signalsFor(repo, deps) : [];
  if (lane === "look") known.context = await contextOf(repo, known, settings);
  const { context } = known;
  if (context === undefined) return undefined;
  const stored = new PassMemory(() => deps.store.readRepo(repo));
  const pass: Pass = { context, known, before, isNews, signals, stored };
  const again = await runStages(stages, pass, { deps, wakeLane }).catch((error: unknown) => {
    // Stages that wrote before it failed find nothing new when it is repeated.
    for (const after of LANES_AFTER[lane]) wakeLane(repo, after);
    throw error;
  });
  const ids = signals.map((signal) => signal.deliveryId);
  if (ids.length > 0 && known.reading !== undefined && !known.unread)
    await deps.store.markSeen(ids, deps.clock.now());
  deps.log.debug({ repo, lane, reads: stored.reads }, "tick finished");
  return again;
}

/** A repository whose configuration cannot be used is left alone; a GitHub that does not answer changes nothing. */
async function contextOf(
  repo: RepoName,
  known: Knowledge,
  settings: Parts["settings"],
): Promise<RepoContext> {
  try {
    return await settings.contextOf(repo);
  } catch (error) {
    if (error instanceof AppError && error.code === "config-invalid") known.context = undefined;
    throw error;
  }
}

async function signalsFor(
  repo: RepoName,
  { store }: Pick<Deps, "store">,
): Promise<readonly Signal[]> {
  const unseen = await store.unseenSignals();
  return unseen.filter((signal) => concerns(signal, repo));
}

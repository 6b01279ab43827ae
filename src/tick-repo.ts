import type { Deps, RepoContext, WakeReason } from "./deps.ts";
import type { RepoReading } from "./domain/board.ts";
import type { Instant, RepoName, TaskId } from "./domain/ids.ts";
import type { Rework } from "./domain/rework.ts";
import type { Signal } from "./domain/signal.ts";
import { tick as feedbackTick } from "./feedback/tick.ts";
import { inTurns } from "./in-turns.ts";
import type { TickRepo } from "./in-turns.ts";
import { concerns } from "./mark-unwatched.ts";
import { tick as commandsTick } from "./commands/tick.ts";
import { NO_OBJECTIVES, tick as objectivesTick } from "./objectives/tick.ts";
import type { ObjectivesMemory } from "./objectives/tick.ts";
import { tick as reportTick } from "./report/tick.ts";
import { tick as schedulerTick } from "./scheduler/tick.ts";
import type { Settings } from "./settings.ts";
import { AppError } from "./shared/app-error.ts";
import type { Verdicts } from "./trust/vouch.ts";
import { tick as trainTick } from "./train/tick.ts";

/** What a repository's lane keeps between ticks; losing it costs one read. */
interface LaneMemory {
  reading: RepoReading | undefined;
  wave: readonly TaskId[];
  directories: ReadonlySet<string> | undefined;
  verdicts: Verdicts;
  rework: ReadonlyMap<TaskId, Rework>;
  inVain: ReadonlyMap<TaskId, number>;
  objectives: ObjectivesMemory;
  /** Ticks since the last report. */
  unreported: number;
}

/** What goes on changing is reported now and then. */
const MOST_UNREPORTED = 3;

/** One pass over a repository: read GitHub if there is news, then commands, scheduler, train, report and objectives in turn. */
export function createTick(
  settings: Settings,
  deps: Deps,
  isAwaited: (repo: RepoName) => boolean,
): TickRepo {
  const memories = new Map<RepoName, LaneMemory>();
  const tick: TickRepo = async (repo, news) => {
    const memory = memories.get(repo) ?? newMemory();
    memories.set(repo, memory);
    const signals = news === "github-changed" ? await signalsFor(repo, deps) : [];
    const context = await settings.contextOf(repo);
    if (
      memory.reading === undefined ||
      (await hasNews(context, { ...memory, news, signals }, deps))
    ) {
      const reading = await readBoard(context, deps);
      if (reading === undefined) return undefined;
      memory.reading = reading;
      if (mayHaveMovedBase(signals)) memory.directories = undefined;
    }
    const seen = { ...memory, reading: memory.reading };
    if (await commandsTick(context, { signals, seen }, deps))
      memory.reading = await deps.github.readRepo(repo, context.config);
    const { reading } = memory;
    const feedback = await feedbackTick(context, { ...memory, reading }, deps);
    Object.assign(memory, { rework: feedback.rework, inVain: feedback.inVain });
    const { again, ...kept } = await schedulerTick(context, { ...memory, reading }, deps);
    Object.assign(memory, kept);
    const trainAgain = await trainTick(context, reading, deps);
    const reportAgain = isReportDue(memory, isAwaited(repo))
      ? await reportTick(context, reading, deps)
      : undefined;
    memory.objectives = await objectivesTick(context, { ...memory, reading, signals }, deps);
    const ids = signals.map((signal) => signal.deliveryId);
    if (ids.length > 0) await deps.store.markSeen(ids, deps.clock.now());
    return [trainAgain, reportAgain, feedback.again].reduce(soonest, again);
  };
  return inTurns(tick, deps);
}

/** What is about to change again is said once, and not at every step. */
function isReportDue(memory: LaneMemory, awaited: boolean): boolean {
  memory.unreported = awaited ? (memory.unreported + 1) % MOST_UNREPORTED : 0;
  return memory.unreported === 0;
}

/** Parents and dependencies in other repositories change without a trace in this one. */
const LONGEST_UNREAD_MS = 15 * 60_000;

/** The timer's wake-ups make up for webhooks that were lost: most find that nothing happened, at no cost. */
async function hasNews(
  { repo, config }: RepoContext,
  seen: Pick<LaneMemory, "reading"> & {
    readonly news: WakeReason;
    readonly signals: readonly Signal[];
  },
  { github, clock }: Deps,
): Promise<boolean> {
  if (seen.news !== "github-changed") return false;
  const age = clock.now() - (seen.reading?.readAt ?? -Infinity);
  if (seen.signals.length > 0 || age > LONGEST_UNREAD_MS) return true;
  return !(await github.isUnchanged(repo, config));
}

/** A board that cannot be read is said once, not with every try; nothing is done in the meantime. */
async function readBoard(
  { repo, config }: RepoContext,
  { github, notices }: Deps,
): Promise<RepoReading | undefined> {
  try {
    const reading = await github.readRepo(repo, config);
    notices.set(repo, "board", reading.board.hints ?? []);
    return reading;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "board-unreadable") throw error;
    notices.set(repo, "board", [error.message]);
    return undefined;
  }
}

/** Only a push moves a branch; a wake-up without any signal is the timer's, and makes up for a lost one. */
function mayHaveMovedBase(signals: readonly Signal[]): boolean {
  return signals.length === 0 || signals.some(({ event }) => event === "push");
}

function newMemory(): LaneMemory {
  return {
    reading: undefined,
    wave: [],
    directories: undefined,
    verdicts: new Map(),
    rework: new Map(),
    inVain: new Map(),
    unreported: 0,
    objectives: NO_OBJECTIVES,
  };
}

function soonest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

async function signalsFor(repo: RepoName, deps: Deps): Promise<readonly Signal[]> {
  const unseen = await deps.store.unseenSignals();
  return unseen.filter((signal) => concerns(signal, repo));
}

import { isDeepStrictEqual } from "node:util";
import { readDependencies } from "../board/read-dependencies.ts";
import { readDirectories } from "../board/read-directories.ts";
import { takeIn } from "../board/take-in.ts";
import { tick as commandsTick } from "../commands/tick.ts";
import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import { tick as feedbackTick } from "../feedback/tick.ts";
import { concerns } from "../intake/signals.ts";
import type { Tick } from "../loop/loop.ts";
import { tick as objectivesTick } from "../objectives/tick.ts";
import type { Deps, RepoContext, WakeReason } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import type { KnownRepo, LaneMemory, WakeLane } from "./lane-memory.ts";
import type { Settings } from "./settings.ts";

export interface LookParts {
  readonly settings: Settings;
  readonly memoryOf: (repo: RepoName) => LaneMemory;
  readonly wakeLane: WakeLane;
}

/** Reads GitHub where there is news, and takes what people did into the store. */
export function createLook({ settings, memoryOf, wakeLane }: LookParts, deps: Deps): Tick {
  return async (repo, news) => {
    const memory = memoryOf(repo);
    const before = { ...memory };
    const reason = memory.unread ? "github-changed" : news;
    const signals = reason === "github-changed" ? await signalsFor(repo, deps) : [];
    memory.context = await contextOf(repo, { settings, memory });
    const { context } = memory;
    const next = await refresh({ memory, context, signals, reason }, deps);
    const { reading } = memory;
    if (reading === undefined || isInAMoment(next, deps)) return next;
    const known: KnownRepo = Object.assign(memory, { context, reading });
    const again = await takeInNews({ known, before, signals, wakeLane }, deps);
    const ids = signals.map((signal) => signal.deliveryId);
    if (ids.length > 0 && !memory.unread) await deps.store.markSeen(ids, deps.clock.now());
    return soonest(again, next);
  };
}

/** What there is to take in now is taken in then, with what comes until then. */
function isInAMoment(next: Instant | undefined, { clock }: Pick<Deps, "clock">): boolean {
  return next !== undefined && next - clock.now() <= TOGETHER_MS;
}

/** A repository whose configuration cannot be used is left alone; a GitHub that does not answer changes nothing. */
async function contextOf(
  repo: RepoName,
  { settings, memory }: { readonly settings: Settings; readonly memory: LaneMemory },
): Promise<RepoContext> {
  try {
    return await settings.contextOf(repo);
  } catch (error) {
    if (error instanceof AppError && error.code === "config-invalid") memory.context = undefined;
    throw error;
  }
}

interface News {
  readonly known: KnownRepo;
  /** What was known until now. */
  readonly before: LaneMemory;
  readonly signals: readonly Signal[];
  readonly wakeLane: WakeLane;
}

/** The order matters: what people said comes before what follows from the board. */
async function takeInNews(
  { known, before, signals, wakeLane }: News,
  deps: Deps,
): Promise<Instant | undefined> {
  const { context } = known;
  const { repo, config } = context;
  const past = { known: before, stored: await deps.store.readRepo(repo) };
  if (await commandsTick(context, { signals, seen: known }, deps))
    Object.assign(known, { reading: await deps.github.readRepo(repo, config) });
  const feedback = await feedbackTick(context, known, deps);
  known.rework = feedback.rework;
  known.checkedWithoutResult = feedback.checkedWithoutResult;
  known.decisions = await takeIn(context, known, deps);
  known.dependencies = await readDependencies({ repo, reading: known.reading }, deps);
  const isFirst = known.directories === undefined;
  if (isFirst) await refreshDirectories(known, deps);
  if (await isMore(known, past, deps))
    for (const lane of ["start", "land", "report"] as const) wakeLane(repo, lane);
  if (!isFirst && known.directoriesAreOld) {
    await refreshDirectories(known, deps);
    wakeLane(repo, "start");
  }
  known.objectives = await objectivesTick(context, { ...known, signals }, deps);
  if ((known.objectives.found ?? []).length > 0)
    for (const lane of ["start", "report"] as const) wakeLane(repo, lane);
  return feedback.again;
}

interface Past {
  readonly known: LaneMemory;
  readonly stored: RepoMemory;
}

/** Whether the other lanes, which ran by what was known and stored before, would find something else now. */
async function isMore(
  known: KnownRepo,
  past: Past,
  { store }: Pick<Deps, "store">,
): Promise<boolean> {
  if (!knowsTheSame(known, past.known)) return true;
  return (await store.readRepo(known.context.repo)) !== past.stored;
}

function knowsTheSame(known: LaneMemory, before: LaneMemory): boolean {
  return (
    known.context === before.context &&
    known.reading === before.reading &&
    known.directories === before.directories &&
    isDeepStrictEqual(concluded(known), concluded(before))
  );
}

/** Made anew by every look. */
function concluded({ rework, checkedWithoutResult, decisions, dependencies }: LaneMemory): unknown {
  return { rework, checkedWithoutResult, decisions, dependencies };
}

/** A plan may go by the folders of a moment ago: nobody waits for these to be read. */
async function refreshDirectories(
  known: KnownRepo,
  deps: Pick<Deps, "git" | "log" | "store">,
): Promise<void> {
  const read = await readDirectories(known.context, deps);
  if (read === undefined) return;
  known.directories = read;
  known.directoriesAreOld = false;
}

interface Refresh {
  readonly memory: LaneMemory;
  readonly context: RepoContext;
  readonly signals: readonly Signal[];
  readonly reason: WakeReason;
}

/** Reads the board if there is news. Resolves to when it is time for that, where it is not yet. */
async function refresh(
  { memory, context, signals, reason }: Refresh,
  deps: Pick<Deps, "clock" | "github" | "notices">,
): Promise<Instant | undefined> {
  const { reading } = memory;
  const isDue = reading === undefined || memory.unread || (await hasNews());
  if (!isDue) return undefined;
  const now = deps.clock.now();
  const earliest = earliestReading(memory);
  if (now < earliest) {
    memory.unread = true;
    return earliest;
  }
  memory.readingsPaidUntil = instant(Math.max(memory.readingsPaidUntil, now) + pauseAfter(reading));
  const read = await readBoard(context, deps);
  if (read === undefined) return undefined;
  memory.reading = read;
  memory.unread = false;
  if (mayHaveMovedBase(signals)) memory.directoriesAreOld = true;
  return undefined;

  function hasNews(): Promise<boolean> {
    return isNews({ reading, signals, reason }, context, deps);
  }
}

/** News of one moment are read together: a person's click makes several, and so do tasks that end at once. */
const TOGETHER_MS = 200;
/** News come in swarms: a few readings follow each other at once, and then no more of them than GitHub's budget allows all day. */
const READINGS_AT_ONCE = 5;
const PAUSE_MS = 1_000;
const PAUSE_PER_CARD_MS = 40;

function pauseAfter(reading: RepoReading | undefined): number {
  return PAUSE_MS + PAUSE_PER_CARD_MS * (reading?.board.cards.length ?? 0);
}

function earliestReading({ reading, readingsPaidUntil }: LaneMemory): Instant {
  const paidAt = readingsPaidUntil - (READINGS_AT_ONCE - 1) * pauseAfter(reading);
  return instant(Math.max(paidAt, (reading?.readAt ?? -Infinity) + TOGETHER_MS));
}

/** Parents and dependencies in other repositories change without a trace in this one. */
const LONGEST_UNREAD_MS = 15 * 60_000;

/** The timer's wake-ups make up for webhooks that were lost: most find that nothing happened, at no cost. */
async function isNews(
  seen: Pick<Refresh, "signals" | "reason"> & { readonly reading: RepoReading | undefined },
  { repo, config }: RepoContext,
  { github, clock }: Pick<Deps, "clock" | "github">,
): Promise<boolean> {
  if (seen.reason !== "github-changed") return false;
  const age = clock.now() - (seen.reading?.readAt ?? -Infinity);
  if (seen.signals.length > 0 || age > LONGEST_UNREAD_MS) return true;
  return !(await github.isUnchanged(repo, config));
}

/** A board that cannot be read is said once, not with every try; nothing is done in the meantime. */
async function readBoard(
  { repo, config }: RepoContext,
  { github, notices }: Pick<Deps, "github" | "notices">,
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

function soonest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

async function signalsFor(repo: RepoName, deps: Pick<Deps, "store">): Promise<readonly Signal[]> {
  const unseen = await deps.store.unseenSignals();
  return unseen.filter((signal) => concerns(signal, repo));
}

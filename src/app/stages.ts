import { isDeepStrictEqual } from "node:util";
import { readBoard } from "../board/read-board.ts";
import { readDependencies } from "../board/read-dependencies.ts";
import { readDirectories } from "../board/read-directories.ts";
import { takeInCards } from "../board/take-in-cards.ts";
import type { CommandsDeps } from "../commands/deps.ts";
import { tick as commandsTick } from "../commands/tick.ts";
import { tick as feedbackTick } from "../feedback/tick.ts";
import type { FeedbackDeps } from "../feedback/tick.ts";
import { tick as objectivesTick } from "../objectives/tick.ts";
import type { ObjectivesDeps } from "../objectives/tick.ts";
import type { Deps } from "../ports/deps.ts";
import { tick as schedulerTick } from "../scheduler/tick.ts";
import type { SchedulerDeps } from "../scheduler/tick.ts";
import type { TrainDeps } from "../train/queue/train-deps.ts";
import { tick as trainTick } from "../train/tick.ts";
import { isKnown } from "./knowledge.ts";
import type { Knowledge } from "./knowledge.ts";
import type { KnownPass, Stage, StageDeps, StageEnd } from "./pass.ts";

/**
 * The program, as a list: what happens to a repository, in this order. Whatever a lane may wait for holds up no other: `look` waits for
 * GitHub's answers, `start` for nobody, `land` for git and GitHub, `report` for GitHub's budget of writes.
 */
export const STAGES: readonly Stage[] = [
  {
    lane: "look",
    folder: "board",
    name: "read board",
    run: (pass, deps) => readBoard(pass.context, pass, deps),
  },
  { lane: "look", folder: "commands", name: "obey commands", run: known(obeyCommands) },
  { lane: "look", folder: "feedback", name: "collect feedback", run: known(collectFeedback) },
  { lane: "look", folder: "board", name: "take in cards", run: known(takeIn) },
  { lane: "look", folder: "board", name: "refresh directories", run: known(refreshDirectories) },
  { lane: "look", folder: "objectives", name: "follow objectives", run: known(followObjectives) },
  { lane: "start", folder: "scheduler", name: "start runs", run: known(startRuns) },
  { lane: "land", folder: "train", name: "move train", run: known(moveTrain) },
  { lane: "report", folder: "report", name: "write reports", run: known(writeReport) },
];

/** Before the board was first read there is nothing to go by. */
function known(run: (pass: KnownPass, deps: StageDeps) => Promise<StageEnd>): Stage["run"] {
  return (pass, deps) =>
    isKnown(pass.known) ? run({ ...pass, known: pass.known }, deps) : Promise.resolve({});
}

/** `commands/`: what people said comes before what follows from the board. */
async function obeyCommands(
  { context, signals, known: seen, stored }: KnownPass,
  deps: CommandsDeps & Pick<Deps, "github">,
): Promise<StageEnd> {
  const isRelabelled = await commandsTick(context, { signals, seen, stored }, deps);
  if (!isRelabelled) return {};
  return { learned: { reading: await deps.github.readRepo(context.repo, context.config) } };
}

/** `feedback/`: reviews and checks that ask for something become rework. */
async function collectFeedback(
  { context, known, stored }: KnownPass,
  deps: FeedbackDeps,
): Promise<StageEnd> {
  const seen = { ...known, stored: await stored.read() };
  const { checkedWithoutResult, again, wrote } = await feedbackTick(context, seen, deps);
  return { learned: { checkedWithoutResult }, again, wrote };
}

type IntakeDeps = Pick<
  Deps,
  "background" | "clock" | "git" | "github" | "log" | "lostStore" | "notices" | "operator" | "store"
>;

/** `board/`: cards become tasks, if somebody trusted stands behind them. The other lanes hear of it. */
async function takeIn(pass: KnownPass, deps: IntakeDeps): Promise<StageEnd> {
  const { context, known, before, stored } = pass;
  const { repo } = context;
  const seen = { ...known, stored: await stored.read() };
  const { decisions, wrote } = await takeInCards(context, seen, deps);
  if (wrote) stored.changed();
  const { tasks } = await stored.read();
  const dependencies = await readDependencies({ repo, reading: known.reading, tasks }, deps);
  // A plan may go by the directories of a moment ago, but not by none.
  const directories = known.directories === undefined ? await directoriesNow(pass, deps) : {};
  const learned = { decisions, dependencies, ...directories };
  // Another server may have written, which is news for the lanes of this one.
  const isShared = deps.operator.store.url !== undefined;
  const isNew = isShared || stored.isChanged || !isSame({ ...known, ...learned }, before);
  return { learned, wakes: isNew ? ["start", "land", "report"] : [] };
}

/** `board/`: claims are understood by the directories of the base. The first time, they were read before anything was planned. */
async function refreshDirectories(
  pass: KnownPass,
  deps: Pick<Deps, "git" | "log" | "notices">,
): Promise<StageEnd> {
  const learned = pass.before.directories === undefined ? {} : await directoriesNow(pass, deps);
  return { learned, wakes: learned.directories === undefined ? [] : ["start"] };
}

/** Returns nothing if they are as they were, or cannot be read. */
async function directoriesNow(
  { context, known, stored }: KnownPass,
  deps: Pick<Deps, "git" | "log" | "notices">,
): Promise<Pick<Partial<Knowledge>, "directories" | "outOfReach" | "directoriesAreOld">> {
  if (!known.directoriesAreOld) return {};
  const { tasks } = await stored.read();
  const tree = await readDirectories(context, tasks, deps);
  return tree === undefined ? {} : { ...tree, directoriesAreOld: false };
}

/** The other lanes would find the same as before. */
function isSame(known: Knowledge, before: Knowledge): boolean {
  return (
    known.context === before.context &&
    known.reading === before.reading &&
    known.directories === before.directories &&
    isDeepStrictEqual(concluded(known), concluded(before))
  );
}

/** Every look concludes this anew. */
function concluded({ checkedWithoutResult, decisions, dependencies }: Knowledge): unknown {
  return { checkedWithoutResult, decisions, dependencies };
}

/** `objectives/`: issues with the objective's label are broken into tasks. */
async function followObjectives(
  { context, known, signals, stored }: KnownPass,
  deps: ObjectivesDeps,
): Promise<StageEnd> {
  const objectives = await objectivesTick(context, { ...known, signals, stored }, deps);
  const isAny = (objectives.found ?? []).length > 0;
  return { learned: { objectives }, wakes: isAny ? ["start", "report"] : [] };
}

/** `scheduler/`: free slots are filled, by the plan of `planner/`; `runner/` works in the background. */
async function startRuns(
  { context, known, stored }: KnownPass,
  deps: SchedulerDeps,
): Promise<StageEnd> {
  const { wave, again, changed } = await schedulerTick(context, { ...known, stored }, deps);
  return { learned: { wave }, again, wakes: changed ? ["report"] : [] };
}

/** `train/`: approved changes are verified and land. */
async function moveTrain(
  { context, known: { reading }, stored }: KnownPass,
  deps: TrainDeps,
): Promise<StageEnd> {
  return { again: await trainTick(context, { reading, stored }, deps) };
}

/** `report/`: cards, comments and checks on GitHub come in line with the store, one write a tick. */
async function writeReport(
  { known, stored }: KnownPass,
  { reporter }: Pick<StageDeps, "reporter">,
): Promise<StageEnd> {
  return { again: await reporter.report({ ...known, stored: await stored.read() }) };
}

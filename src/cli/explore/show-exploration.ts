import logUpdate from "log-update";
import { evaluationsOf } from "../../domain/explore/evaluations.ts";
import type { Evaluation } from "../../domain/explore/evaluations.ts";
import { wordLevels, wordProgress } from "../../domain/explore/words.ts";
import type { Exploration } from "../../domain/exploration.ts";
import { cutText, fitText, printable } from "../text/terminal-text.ts";
import { clockText } from "../text/timeline.ts";
import { drawnDisplay, printedDisplay } from "../trial/display.ts";
import type { Display } from "../trial/display.ts";
import { EventTeller, stamp, wordEvaluation, wordNode } from "./event-lines.ts";
import type { ExploreProgress } from "./run-exploration.ts";

/** Where nothing else is said for so long, it is said how far everything is. */
const SAY_EVERY_MS = 5_000;
const BAR_WIDTH = 24;
/** More of them would not fit into a window. */
const MAX_RUNNING_ROWS = 12;

/** Prints what happens, and below it a picture of each level that is drawn anew. */
export function liveExploreDisplay(): Display<ExploreProgress> {
  const drawn = drawnDisplay(renderExploreFrame);
  const news = newsOf();
  return {
    ...drawn,
    update: (progress) => {
      for (const line of news(progress)) drawn.say(line);
      drawn.update(progress);
    },
    done: () => {
      logUpdate.clear();
      drawn.done();
    },
  };
}

/** Prints what happens, and now and then how far it is. */
export function plainExploreDisplay(): Display<ExploreProgress> {
  const news = newsOf();
  let saidAt: number | undefined;
  return printedDisplay((progress, say) => {
    const lines = news(progress);
    saidAt ??= progress.now;
    const isSilent = lines.length === 0 && progress.now - saidAt >= SAY_EVERY_MS;
    const elapsedMs = progress.now - progress.startedAt;
    const said = isSilent ? [`${stamp(elapsedMs)}  ${wordExploreProgress(progress)}`] : lines;
    for (const line of said) say(line);
    if (said.length > 0) saidAt = progress.now;
  });
}

/** Returns what was not told yet. It is asked many times a second, and mostly nothing has changed. */
function newsOf(): (progress: ExploreProgress) => readonly string[] {
  let teller: EventTeller | undefined;
  let last: ExploreProgress["runs"] = [];
  let lastOf: Exploration | undefined;
  return (progress) => {
    const { exploration, runs, startedAt } = progress;
    if (exploration === undefined || (runs === last && exploration === lastOf)) return [];
    [last, lastOf] = [runs, exploration];
    const first = teller === undefined ? [`${wordBase(exploration)}\n`] : [];
    teller ??= new EventTeller(startedAt);
    return [...first, ...teller.news(progress)];
  };
}

function wordBase({ base, plan }: Exploration): string {
  const score = plan.baseScore === undefined ? "is not scored" : `scores ${plan.baseScore}`;
  return `Base: ${base.slice(0, 7)} ${score}`;
}

/** Says how far it is, and what runs. */
export function wordExploreProgress({ exploration, runs, task }: ExploreProgress): string {
  if (exploration === undefined)
    return task?.spec.explore?.ideas.kind === "ask"
      ? "ideas are asked for, and the base is scored"
      : "the ideas are read, and the base is scored";
  const running = evaluationsOf(exploration, runs).filter(({ state }) => state === "running");
  const which = running.map(wordEvaluation).join(", ");
  const progress = wordProgress(exploration, runs);
  return printable(which === "" ? progress : `${progress}; at work: ${which}`);
}

/** Draws the live picture: a bar for each level, and below them what is at work. */
export function renderExploreFrame(progress: ExploreProgress, width: number): string {
  const { exploration, runs, now, startedAt } = progress;
  const clock = clockText(now - startedAt);
  if (exploration === undefined)
    return cutText(`${clock}  ${wordExploreProgress(progress)}`, width);
  const evaluations = evaluationsOf(exploration, runs);
  const words = wordLevels(exploration, runs);
  const bars = exploration.levels.map(({ depth }, at) => {
    const ofLevel = evaluations.filter((one) => one.depth === depth);
    return `${barOf(ofLevel)}  ${words[at] ?? ""}`;
  });
  const running = evaluations.filter(({ state }) => state === "running");
  const rows = running.slice(0, MAX_RUNNING_ROWS).map((one) => runningRow(one, now));
  const more = running.length - rows.length;
  const rest = more > 0 ? [`   and ${more} more`] : [];
  const last = `${clock}  ${wordProgress(exploration, runs)}`;
  return ["", ...bars, ...rows, ...rest, "", last]
    .map((line) => cutText(printable(line), width))
    .join("\n");
}

function barOf(evaluations: readonly Evaluation[]): string {
  const isOver = ({ state }: Evaluation): boolean => state !== "queued" && state !== "running";
  const share = evaluations.filter(isOver).length / Math.max(1, evaluations.length);
  const full = Math.floor(share * BAR_WIDTH);
  return "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
}

function runningRow(one: Evaluation, now: number): string {
  const since = one.startedAt === undefined ? "" : clockText(now - one.startedAt);
  return ` ▶ ${fitText(since, 5, "right")}  ${wordEvaluation(one)}${wordNode(one)}`;
}

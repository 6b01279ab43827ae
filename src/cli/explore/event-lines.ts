import { describeOutcome, lastLines } from "../../domain/failure.ts";
import { evaluationsOf } from "../../domain/explore/evaluations.ts";
import type { Evaluation } from "../../domain/explore/evaluations.ts";
import { exploreEvents } from "../../domain/explore/explore-events.ts";
import type { ExploreEvent } from "../../domain/explore/explore-events.ts";
import type { Exploration } from "../../domain/exploration.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import { printable } from "../text/terminal-text.ts";
import { secondsText } from "../text/timeline.ts";
import type { ExploreView } from "./exploration-watch.ts";

/** It tells each event once. */
export class EventTeller {
  readonly #startedAt: number;
  readonly #told = new Set<string>();

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Writes a line for everything that happened since it was asked last. */
  news({ exploration, runs }: ExploreView): readonly string[] {
    if (exploration === undefined) return [];
    const evaluations = new Map(evaluationsOf(exploration, runs).map((one) => [one.number, one]));
    return exploreEvents(exploration, runs).flatMap((event) => {
      const key = keyOf(event);
      const one = evaluations.get(event.evaluation);
      if (one === undefined || this.#told.has(key)) return [];
      this.#told.add(key);
      const words = printable(wordEvent(event, one, exploration));
      return [`${stamp(event.at - this.#startedAt)}  ${event.event.padEnd(9)}  ${words}`];
    });
  }
}

/** Writes when something was, as the beginning of a line. */
export function stamp(elapsedMs: number): string {
  return secondsText(elapsedMs).padStart(8);
}

/** A level is queued as a whole; how a run ended is told once, whatever it is called later. */
function keyOf({ event, evaluation, depth, at }: ExploreEvent): string {
  if (event === "queued") return `queued ${depth}`;
  const isEnd = event === "completed" || event === "failed" || event === "requeued";
  return isEnd ? `${evaluation} ended ${at}` : `${evaluation} ${event} ${at}`;
}

function wordEvent(event: ExploreEvent, one: Evaluation, exploration: Exploration): string {
  switch (event.event) {
    case "queued":
      return wordLevel(event.depth, exploration);
    case "started":
      return `${wordEvaluation(one)}${wordNode(one)}${wordTry(one, event.at)}`;
    case "completed":
      return `${wordEvaluation(one)}: ${one.score ?? "not scored"}${wordTime(endedAt(one, event.at))}`;
    case "failed":
    case "requeued":
      return `${wordEvaluation(one)}: ${wordWhy(endedAt(one, event.at)?.outcome)}`;
    case "promoted":
      return `${wordEvaluation(one)}: ${one.score ?? "not scored"}`;
  }
}

function wordLevel(depth: number, { levels, plan }: Exploration): string {
  const planned = levels.find((level) => level.depth === depth)?.evaluations ?? [];
  const nodes = [...new Set(planned.map(({ parent }) => parent))];
  const where = depth === 1 ? "the base" : nodes.join(", ");
  const ideas = plan.ideas.length === 1 ? "1 idea" : `${plan.ideas.length} ideas`;
  return `level ${depth}: ${wordRange(planned.map(({ number }) => number))}, ${ideas} on ${where}`;
}

function wordRange(numbers: readonly number[]): string {
  return numbers.length < 2 ? numbers.join("") : `${numbers[0] ?? ""} to ${numbers.at(-1) ?? ""}`;
}

/** Writes `3 (ideas/heap.md)`. */
export function wordEvaluation({ number, idea }: Pick<Evaluation, "number" | "idea">): string {
  return `${number} (${idea})`;
}

/** Says what it goes on with. */
export function wordNode({ parent }: Pick<Evaluation, "parent">): string {
  return parent === 0 ? "" : ` on ${parent}`;
}

function wordTry({ runs }: Evaluation, at: number): string {
  const index = runs.findIndex(({ startedAt }) => startedAt === at);
  return index < 1 ? "" : `, attempt ${index + 1}`;
}

function endedAt({ runs }: Evaluation, at: number): Run | undefined {
  return runs.find(({ finishedAt }) => finishedAt === at);
}

function wordTime(run: Run | undefined): string {
  if (run?.startedAt === undefined || run.finishedAt === undefined) return "";
  return ` (after ${secondsText(run.finishedAt - run.startedAt)})`;
}

/** Says how a run ended, with the last line that it printed. */
function wordWhy(outcome: RunOutcome | undefined): string {
  if (outcome === undefined) return "it ended";
  const last = lastLines(outcome).at(-1);
  return `${describeOutcome(outcome)}${last === undefined ? "" : `; it said last: ${last}`}`;
}

import type { Instant } from "../ids.ts";
import type { Run } from "../run.ts";
import { evaluationsOf } from "./evaluations.ts";
import type { Evaluation } from "./evaluations.ts";
import type { Exploration } from "../exploration.ts";

export type ExploreEventKind =
  "queued" | "started" | "completed" | "failed" | "requeued" | "promoted";

/** One thing that happened to an evaluation. */
export interface ExploreEvent {
  readonly event: ExploreEventKind;
  readonly evaluation: number;
  readonly depth: number;
  readonly at: Instant;
}

const ORDER: readonly ExploreEventKind[] = [
  ...(["completed", "failed", "requeued", "promoted", "queued", "started"] as const),
];

/** Tells what happened so far, oldest first. It follows from what is on record, so a restart tells the same. */
export function exploreEvents(
  exploration: Exploration,
  runs: readonly Run[],
): readonly ExploreEvent[] {
  const evaluations = evaluationsOf(exploration, runs);
  const levels = new Map(exploration.levels.map((level) => [level.depth, level]));
  return evaluations
    .flatMap((one) => {
      const level = levels.get(one.depth);
      const promotedAt = one.promoted ? level?.closedAt : undefined;
      return [
        ...(level === undefined ? [] : [eventOf("queued", one, level.openedAt)]),
        ...one.runs.flatMap((run, at) => eventsOfRun(one, run, at === one.runs.length - 1)),
        ...(promotedAt === undefined ? [] : [eventOf("promoted", one, promotedAt)]),
      ];
    })
    .toSorted(
      (a, b) =>
        a.at - b.at ||
        ORDER.indexOf(a.event) - ORDER.indexOf(b.event) ||
        a.evaluation - b.evaluation,
    );
}

/** A run that is not the last one was followed by another. */
function eventsOfRun(
  one: Evaluation,
  { startedAt, finishedAt, outcome }: Run,
  isLast: boolean,
): readonly ExploreEvent[] {
  const end = isLast && one.state === "queued" ? "requeued" : isLast ? "failed" : "requeued";
  return [
    ...(startedAt === undefined ? [] : [eventOf("started", one, startedAt)]),
    ...(finishedAt === undefined
      ? []
      : [eventOf(outcome?.kind === "succeeded" ? "completed" : end, one, finishedAt)]),
  ];
}

function eventOf(
  event: ExploreEventKind,
  { number, depth }: Evaluation,
  at: Instant,
): ExploreEvent {
  return { event, evaluation: number, depth, at };
}

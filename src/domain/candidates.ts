import { groupBy } from "../shared/group-by.ts";
import { remembered } from "../shared/remembered.ts";
import type { TaskId } from "./ids.ts";
import { decidePromotion } from "./decide-promotion.ts";
import type { Run } from "./run.ts";
import type { Task, TaskSpec } from "./task.ts";

export const MOST_CANDIDATES = 5;

/** Runs of one attempt, of which one is promoted. */
export function candidatesOf({ candidates = 1 }: Pick<TaskSpec, "candidates">): number {
  return candidates;
}

/** Whether the run is one of several of its attempt; one that goes on with a pull request never is. */
export function isCandidate(run: Pick<Run, "rework">, { spec }: Pick<Task, "spec">): boolean {
  return run.rework === undefined && candidatesOf(spec) > 1;
}

/** The candidates of the attempt that a task is at. */
export interface CandidateRound {
  readonly runs: readonly Run[];
  /** Numbers of those that have not begun. */
  readonly missing: readonly number[];
  /** Nothing more is to come: one can be promoted. */
  readonly ended: boolean;
}

/** Undefined unless the task is at work on several candidates. */
export function roundOf(task: Task, runs: readonly Run[]): CandidateRound | undefined {
  const wanted = candidatesOf(task.spec);
  if (task.state !== "running" || wanted < 2) return undefined;
  const own = runsOfTask(task.id, runs).filter((run) => run.attempt === task.attempts);
  if (own.length === 0 || own.some((run) => run.rework !== undefined)) return undefined;
  const withdrawn = own.some(({ outcome }) => outcome?.kind === "cancelled");
  const begun = new Set(own.map(({ candidate }) => candidate));
  const missing = withdrawn
    ? []
    : Array.from({ length: wanted }, (_, index) => index + 1).filter((n) => !begun.has(n));
  const ended = missing.length === 0 && own.every(({ state }) => state === "finished");
  return { runs: own, missing, ended };
}

const byTask = remembered((runs: readonly Run[]) => groupBy(runs, ({ task }) => task));

/** The runs of one task, in their order. */
export function runsOfTask(task: TaskId, runs: readonly Run[]): readonly Run[] {
  return byTask(runs).get(task) ?? [];
}

/** The run that speaks for the task: its latest, and of several candidates one at work, or else the one that is promoted. */
export function leadingRun(task: TaskId, runs: readonly Run[]): Run | undefined {
  const own = runsOfTask(task, runs);
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const siblings = own.filter((run) => run.attempt === last.attempt);
  return siblings.find(({ state }) => state !== "finished") ?? decidePromotion(siblings);
}

/** One run for each attempt, oldest first: how an attempt went is how its best candidate did. */
export function leadingRuns(runs: readonly Run[]): readonly Run[] {
  const attempts = groupBy(runs, ({ attempt }) => attempt);
  return [...attempts.values()].flatMap((siblings) => decidePromotion(siblings) ?? []);
}

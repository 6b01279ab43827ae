import { groupBy } from "../../shared/group-by.ts";
import { remembered } from "../../shared/remembered.ts";
import { explores, OPENING } from "../exploration.ts";
import { failureClassOf } from "../failure.ts";
import type { TaskId } from "../ids.ts";
import type { Run } from "../run.ts";
import type { Task } from "../task.ts";

export const MAX_CONTENDERS = 5;

/** Tells whether the run is one of several of its attempt; one that goes on with a pull request never is. */
export function isContender(run: Pick<Run, "rework">, { spec }: Pick<Task, "spec">): boolean {
  return run.rework === undefined && explores(spec);
}

/** Returns the runs of one task, in their order. */
export function runsOfTask(task: TaskId, runs: readonly Run[]): readonly Run[] {
  return byTask(runs).get(task) ?? [];
}

/** Returns the run that speaks for the task: its latest one, or among several contenders one at work, or else the promoted one. */
export function leadingRun(task: TaskId, runs: readonly Run[]): Run | undefined {
  const own = runsOfTask(task, runs);
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const siblings = own.filter((run) => run.attempt === last.attempt);
  return siblings.find(({ state }) => state !== "finished") ?? decidePromotion(siblings);
}

/** Returns one run for each attempt, oldest first: an attempt went as its best contender did. */
export function leadingRuns(runs: readonly Run[]): readonly Run[] {
  const attempts = groupBy(runs, ({ attempt }) => attempt);
  return [...attempts.values()].flatMap((siblings) => decidePromotion(siblings) ?? []);
}

/** Picks the best of the runs of one attempt: one that succeeded, then the better score, then fewer changed files, then the lower number. */
export function decidePromotion(runs: readonly Run[]): Run | undefined {
  const ended = runs.filter(({ outcome }) => outcome !== undefined);
  const tried = ended.filter(({ contender }) => contender !== OPENING);
  return (tried.length === 0 ? ended : tried).toSorted(compareRuns)[0];
}

const byTask = remembered((runs: readonly Run[]) => groupBy(runs, ({ task }) => task));

/** The better one comes first. */
export function compareRuns(a: Run, b: Run): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const differing = x.findIndex((rank, at) => rank !== y[at]);
  return differing === -1 ? 0 : (x[differing] ?? 0) < (y[differing] ?? 0) ? -1 : 1;
}

/** Lower is better. One without a score comes after all that have one. */
function ranksOf({ outcome, contender }: Run): readonly number[] {
  if (outcome?.kind !== "succeeded") return [rankOfFailure(outcome), 0, 0, contender];
  const { score, merit = score, files } = outcome;
  return [0, merit === undefined ? Infinity : -merit, files.length, contender];
}

/** If none succeeded, one that failed says more than one that was interrupted. */
function rankOfFailure(outcome: Run["outcome"]): number {
  const failed = outcome !== undefined && failureClassOf(outcome) !== undefined;
  return failed ? 1 : 2;
}

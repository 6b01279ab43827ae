import { groupBy } from "../shared/group-by.ts";
import { remembered } from "../shared/remembered.ts";
import { failureClassOf } from "./failure.ts";
import type { TaskId } from "./ids.ts";
import type { Run } from "./run.ts";
import type { Task, TaskSpec } from "./task.ts";

/** A round has the contenders of a task's present attempt. */
export interface ContenderRound {
  readonly runs: readonly Run[];
  /** The contenders with these numbers have not begun. */
  readonly missing: readonly number[];
  /** No more contenders will come: one can be promoted. */
  readonly ended: boolean;
}

export const MAX_CONTENDERS = 5;

export const CONTENDER_REFS = "refs/wavetrain/contenders/";

/** Returns how many runs one attempt has; one of them is promoted. */
export function contendersOf({ contenders = 1 }: Pick<TaskSpec, "contenders">): number {
  return contenders;
}

/** Tells whether the run is one of several of its attempt; one that goes on with a pull request never is. */
export function isContender(run: Pick<Run, "rework">, { spec }: Pick<Task, "spec">): boolean {
  return run.rework === undefined && contendersOf(spec) > 1;
}

/** Returns undefined unless the task is at work on several contenders. */
export function roundOf(task: Task, runs: readonly Run[]): ContenderRound | undefined {
  const wanted = contendersOf(task.spec);
  if (task.state !== "running" || wanted < 2) return undefined;
  const own = runsOfTask(task.id, runs).filter((run) => run.attempt === task.attempts);
  if (own.length === 0 || own.some((run) => run.rework !== undefined)) return undefined;
  // The others would end like one that is not logged in, which all have in common.
  const withdrawn = own.some(
    ({ outcome }) => outcome?.kind === "cancelled" || outcome?.kind === "not-logged-in",
  );
  const begun = new Set(own.map(({ contender }) => contender));
  const missing = withdrawn
    ? []
    : Array.from({ length: wanted }, (_, index) => index + 1).filter((n) => !begun.has(n));
  const ended = missing.length === 0 && own.every(({ state }) => state === "finished");
  return { runs: own, missing, ended };
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

/** Picks the best of the contenders of one attempt: one that succeeded, then the higher score, then fewer changed files, then the lower number. */
export function decidePromotion(contenders: readonly Run[]): Run | undefined {
  return contenders.filter(({ outcome }) => outcome !== undefined).toSorted(compareContenders)[0];
}

/** The repository's mirror keeps a contender's work under this ref. */
export function contenderRef(
  { issue }: Pick<Task, "issue">,
  { attempt, contender }: Pick<Run, "attempt" | "contender">,
): string {
  return `${CONTENDER_REFS}${issue}/${attempt}/${contender}`;
}

const byTask = remembered((runs: readonly Run[]) => groupBy(runs, ({ task }) => task));

function compareContenders(a: Run, b: Run): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const differing = x.findIndex((rank, at) => rank !== y[at]);
  return differing === -1 ? 0 : (x[differing] ?? 0) < (y[differing] ?? 0) ? -1 : 1;
}

/** Lower is better. One without a score comes after all that have one. */
function ranksOf({ outcome, contender }: Run): readonly number[] {
  if (outcome?.kind !== "succeeded") return [rankOfFailure(outcome), 0, 0, contender];
  const { score, files } = outcome;
  return [0, score === undefined ? Infinity : -score, files.length, contender];
}

/** If none succeeded, one that failed says more than one that was interrupted. */
function rankOfFailure(outcome: Run["outcome"]): number {
  const failed = outcome !== undefined && failureClassOf(outcome) !== undefined;
  return failed ? 1 : 2;
}

import type { Budget } from "../domain/budget.ts";
import type { Change } from "../domain/change.ts";
import { runsOfTask } from "../domain/explore/contenders.ts";
import type { Evaluation } from "../domain/explore/evaluations.ts";
import { explorationOf, explores } from "../domain/exploration.ts";
import type { Exploration } from "../domain/exploration.ts";
import { nextStep } from "../domain/explore/next-step.ts";
import type { DueRun, ExploreStep } from "../domain/explore/next-step.ts";
import { instant, soonest } from "../domain/ids.ts";
import type { Instant, RunId, TaskId } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { SlotLedger } from "../planner/starts/slot-ledger.ts";
import type { FreeSlots } from "../planner/starts/slot-ledger.ts";
import { newRun } from "./start-run.ts";

export interface EvaluationSituation {
  readonly now: Instant;
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
  readonly explorations: readonly Exploration[];
  /** One task may spend this. */
  readonly budget: Budget;
  readonly maxLost: number;
  readonly slots: FreeSlots;
  readonly launchDelayMs: number;
  readonly lastStartAt: Instant | undefined;
  /** Somebody cancelled these runs: their attempt gets no further one. */
  readonly cancels?: ReadonlyMap<RunId, string>;
  /** If it is true, nothing new may start. */
  readonly held: boolean;
  /** These are digests of the runners as they are configured. */
  readonly definitions?: ReadonlyMap<string, string>;
  /** The names of runs begin with this, where that is not the repository's. */
  readonly runNames?: string | undefined;
}

export interface EvaluationDecision {
  readonly starts: readonly Run[];
  /** Levels that are over, with those that follow them. */
  readonly levels: readonly Change[];
  /** Nothing more is tried for these tasks: one of their runs is taken, or none. */
  readonly ended: readonly TaskId[];
  readonly slots: FreeSlots;
  readonly lastStartAt: Instant | undefined;
  /** Says when the next one may be launched. */
  readonly again: Instant | undefined;
}

interface Exploring {
  readonly task: Task;
  readonly exploration: Exploration | undefined;
  readonly step: ExploreStep;
}

/** Further runs of tasks at work come before anything new, because their task holds its claims until the last one ends. */
export function decideEvaluations(situation: EvaluationSituation): EvaluationDecision {
  const exploring = situation.tasks.flatMap((task) => exploringOf(task, situation));
  const launch = new Launch(situation);
  if (!situation.held) for (const one of exploring) launch.begin(one);
  const { starts, lastStartAt, again } = launch;
  return {
    starts,
    levels: exploring.flatMap(({ step }) => (step.kind === "promote" ? [step.change] : [])),
    ended: exploring.flatMap(({ task, step }) => (step.kind === "end" ? [task.id] : [])),
    slots: launch.slots.left(),
    lastStartAt,
    again,
  };
}

function exploringOf(task: Task, situation: EvaluationSituation): readonly Exploring[] {
  if (task.state !== "running" || !explores(task.spec)) return [];
  const { budget, maxLost, now, explorations } = situation;
  const runs = runsOfTask(task.id, situation.runs);
  const exploration = explorationOf(task, explorations);
  const step = nextStep({ task, exploration, runs, budget, maxLost, now });
  return [{ task, exploration, step }];
}

class Launch {
  readonly starts: Run[] = [];
  readonly slots: SlotLedger;
  lastStartAt: Instant | undefined;
  again: Instant | undefined;
  readonly #situation: EvaluationSituation;

  constructor(situation: EvaluationSituation) {
    this.#situation = situation;
    this.slots = new SlotLedger(situation.slots, situation.now);
    this.lastStartAt = situation.lastStartAt;
  }

  begin({ task, exploration, step }: Exploring): void {
    if (step.kind !== "runs" || this.#isCancelled(task)) return;
    const { now, launchDelayMs } = this.#situation;
    for (const due of withinCaps(step, exploration)) {
      const run = this.#runOf(task, due);
      if (run === undefined) return;
      const wish = wishOf(task, run);
      const pause = this.slots.pauseOf(run.runner);
      if (pause !== undefined) this.again = soonest(this.again, pause.until);
      if (pause !== undefined || this.slots.missingFor(wish) !== undefined) return;
      const from = instant((this.lastStartAt ?? 0) + launchDelayMs);
      if (from > now) {
        this.again = soonest(this.again, from);
        return;
      }
      this.slots.take(wish);
      this.starts.push(run);
      this.lastStartAt = now;
    }
  }

  #isCancelled({ id, attempts }: Task): boolean {
    const { cancels, runs } = this.#situation;
    return runsOfTask(id, runs).some(
      (run) => run.attempt === attempts && cancels?.has(run.id) === true,
    );
  }

  /** All runs of an attempt have the runner of the first. */
  #runOf(task: Task, { contender, retry, baseSha }: DueRun): Run | undefined {
    const { now, definitions, runNames: named, runs } = this.#situation;
    const like = runsOfTask(task.id, runs).find(({ attempt }) => attempt === task.attempts);
    if (like === undefined) return undefined;
    const { attempt, runner } = like;
    const definition = definitions?.get(runner);
    const known = { attempt, runner, definition, named, baseSha, contender, retry };
    return newRun(task, { ...known, rework: undefined, now });
  }
}

/** Keeps to the limits of the exploration itself: so many at once, and so many of one node. */
export function withinCaps(
  { due, running }: Extract<ExploreStep, { kind: "runs" }>,
  exploration: Exploration | undefined,
): readonly DueRun[] {
  const { parallel = Infinity, perNode = Infinity } = exploration?.plan ?? {};
  const ofNode = new Map<number, number>();
  const count = ({ parent }: Pick<Evaluation, "parent">): number => {
    const now = 1 + (ofNode.get(parent) ?? 0);
    ofNode.set(parent, now);
    return now;
  };
  for (const one of running) count(one);
  const allowed = due.filter((one) => (ofNode.get(one.parent) ?? 0) < perNode && count(one) > 0);
  return allowed.slice(0, Math.max(0, parallel - running.length));
}

/** Asks for the runner of the first run, whatever the task would be routed to now. */
function wishOf({ id, issue, readySince, spec }: Task, { runner }: Run): PlannableTask {
  return { ...spec, id, order: issue, readySince, estimateMs: 0, runner };
}

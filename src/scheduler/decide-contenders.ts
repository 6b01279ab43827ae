import { roundOf } from "../domain/contenders.ts";
import type { ContenderRound } from "../domain/contenders.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, RunId, TaskId } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { SlotLedger } from "../planner/starts/slot-ledger.ts";
import type { FreeSlots } from "../planner/starts/slot-ledger.ts";
import { newRun } from "./start-run.ts";

export interface ContenderSituation {
  readonly now: Instant;
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
  readonly slots: FreeSlots;
  readonly launchDelayMs: number;
  readonly lastStartAt: Instant | undefined;
  /** Somebody cancelled these runs: their attempt gets no further contender. */
  readonly cancels?: ReadonlyMap<RunId, string>;
  /** If it is true, nothing new may start. */
  readonly held: boolean;
  /** These are digests of the runners as they are configured. */
  readonly definitions?: ReadonlyMap<string, string>;
  /** The names of runs begin with this, where that is not the repository's. */
  readonly runNames?: string | undefined;
}

export interface ContenderDecision {
  readonly starts: readonly Run[];
  /** Every contender of these tasks has ended. */
  readonly promotions: readonly TaskId[];
  readonly slots: FreeSlots;
  readonly lastStartAt: Instant | undefined;
  /** Says when the next one may be launched. */
  readonly again: Instant | undefined;
}

/** Further contenders of tasks at work come before anything new, because their task holds its claims until the last one ends. */
export function decideContenders(situation: ContenderSituation): ContenderDecision {
  const { tasks, runs, held, cancels } = situation;
  const rounds = tasks.flatMap((task) => {
    const round = roundOf(task, runs);
    return round === undefined ? [] : [{ task, round }];
  });
  const launch = new Launch(situation);
  for (const { task, round } of held ? [] : rounds) {
    const isCancelled = round.runs.some(({ id }) => cancels?.has(id) === true);
    if (!isCancelled) launch.begin(task, round);
  }
  const { starts, lastStartAt, again } = launch;
  const promotions = rounds.filter(({ round }) => round.ended).map(({ task }) => task.id);
  return { starts, promotions, slots: launch.slots.left(), lastStartAt, again };
}

class Launch {
  readonly starts: Run[] = [];
  readonly slots: SlotLedger;
  lastStartAt: Instant | undefined;
  again: Instant | undefined;
  readonly #situation: ContenderSituation;

  constructor(situation: ContenderSituation) {
    this.#situation = situation;
    this.slots = new SlotLedger(situation.slots, situation.now);
    this.lastStartAt = situation.lastStartAt;
  }

  begin(task: Task, round: ContenderRound): void {
    const { now, launchDelayMs } = this.#situation;
    for (const run of openRuns(task, round, this.#situation)) {
      const wish = wishOf(task, run);
      const isPaused = this.slots.pauseOf(run.runner) !== undefined;
      if (isPaused || this.slots.missingFor(wish) !== undefined) return;
      const due = instant((this.lastStartAt ?? 0) + launchDelayMs);
      if (due > now) {
        this.again = due;
        return;
      }
      this.slots.take(wish);
      this.starts.push(run);
      this.lastStartAt = now;
    }
  }
}

/** All contenders start from the commit that the first one found. Until that is known, there is only one. */
function openRuns(
  task: Task,
  round: ContenderRound,
  { now, definitions, runNames: named }: ContenderSituation,
): readonly Run[] {
  const first = round.runs.find(({ baseSha }) => baseSha !== undefined);
  const searching = round.runs.some(({ state }) => state !== "finished");
  if (first === undefined && searching) return [];
  const missing = first === undefined ? round.missing.slice(0, 1) : round.missing;
  const like = first ?? round.runs[0];
  if (like === undefined) return [];
  const { attempt, runner, baseSha } = like;
  const known = { attempt, runner, baseSha, named, definition: definitions?.get(runner) };
  return missing.map((contender) => newRun(task, { ...known, contender, rework: undefined, now }));
}

/** Asks for the runner of the first contender, whatever the task would be routed to now. */
function wishOf({ id, issue, readySince, spec }: Task, { runner }: Run): PlannableTask {
  return { ...spec, id, order: issue, readySince, estimateMs: 0, runner };
}

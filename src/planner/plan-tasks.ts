import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Plan, PlannableTask } from "../domain/plan.ts";
import { assignWaves } from "./assign-waves.ts";
import { prepareBacklog } from "./backlog.ts";
import type { Backlog, BacklogOptions } from "./backlog.ts";
import type { Holding } from "./decide-starts.ts";
import { lowerBoundMs } from "./lower-bound.ts";
import { simulate } from "./simulate.ts";
import type { DispatchRules } from "./situation.ts";

export interface PlanOptions extends BacklogOptions {
  readonly rules?: Partial<DispatchRules>;
  /** The moment that the schedule starts from; unless told, the moment when the last task became ready. */
  readonly now?: Instant;
  /** Tasks that hold their claims already: they come first. */
  readonly holding?: readonly Holding[];
}

/** The same tasks in any order give the same plan. */
export function planTasks(tasks: readonly PlannableTask[], options: PlanOptions): Plan {
  return planBacklog(prepareBacklog(tasks, options), options);
}

export function planBacklog(
  backlog: Backlog,
  options: Omit<PlanOptions, keyof BacklogOptions> & Pick<PlanOptions, "slots">,
): Plan {
  const from = options.now ?? latestReady(backlog);
  const { schedule, makespanMs } = simulate(backlog, { ...options, from });
  const held = (options.holding ?? []).flatMap(({ id }) => backlog.positions.get(id) ?? []);
  return {
    waves: assignWaves(backlog, held).map((wave) => wave.flatMap((at) => idAt(backlog, at))),
    blocked: backlog.blocked,
    order: schedule.map(({ id }) => id),
    schedule,
    makespanMs,
    lowerBoundMs: lowerBoundMs(backlog, options.slots),
  };
}

function latestReady({ tasks }: Backlog): Instant {
  return tasks.reduce(
    (latest, { readySince }) => (readySince > latest ? readySince : latest),
    instant(0),
  );
}

function idAt({ tasks }: Backlog, at: number): readonly TaskId[] {
  const task = tasks[at];
  return task === undefined ? [] : [task.id];
}

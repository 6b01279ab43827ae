import type { RepoConfig } from "../config/schema.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { FreeSlots } from "../planner/slot-ledger.ts";

export interface RunnerLimits {
  readonly runners: Readonly<Record<string, { readonly slots: number }>>;
  readonly defaultRunner: string;
  readonly overall: number;
  readonly launchDelayMs: number;
}

export interface SlotUse {
  /** Runs under way on this host, in any repository. */
  readonly running: readonly Run[];
  /** Tasks of this repository. */
  readonly tasks: readonly Task[];
}

/** What is left of every limit once the present runs are counted. */
export function freeSlots(config: RepoConfig, limits: RunnerLimits, use: SlotUse): FreeSlots {
  const busy = (runner: string): number =>
    use.running.filter((run) => run.runner === runner).length;
  const here = use.tasks.filter((task) => task.state === "running");
  return {
    overall: limits.overall - use.running.length,
    repository: config.limits.parallel - here.length,
    runners: new Map(
      Object.entries(limits.runners).map(([name, { slots }]) => [name, slots - busy(name)]),
    ),
    defaultRunner: config.runner ?? limits.defaultRunner,
    parents: freeOfParents(config.limits.perParent, use.tasks),
  };
}

function freeOfParents(
  limit: number | undefined,
  tasks: readonly Task[],
): ReadonlyMap<TaskId, number> {
  const free = new Map<TaskId, number>();
  if (limit === undefined) return free;
  for (const { spec, state } of tasks) {
    if (spec.parent === undefined) continue;
    free.set(spec.parent, (free.get(spec.parent) ?? limit) - (state === "running" ? 1 : 0));
  }
  return free;
}

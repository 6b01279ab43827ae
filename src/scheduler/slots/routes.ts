import type { Size } from "../../domain/plan.ts";
import type { DispatchDecision } from "../../planner/starts/decide-starts.ts";
import type { WaitCode } from "../../planner/starts/obstacle.ts";
import type { FreeSlots } from "../../planner/starts/slot-ledger.ts";

/** Holds the settings of a runner that routing looks at. */
export interface RoutedRunner {
  readonly sizes: readonly Size[];
  readonly fallback: readonly string[];
}

export interface Wish {
  /** The task names this runner. */
  readonly runner: string | undefined;
  readonly size: Size | undefined;
}

export interface Routing {
  readonly runners: Readonly<Record<string, RoutedRunner>>;
  /** It takes tasks that neither name a runner nor have a size that belongs to one. */
  readonly defaultRunner: string;
}

/** Lists the runner for a task, then those that may stand in for it. The runner is chosen by name, then by size, then it is the default. */
export function routeOf({ runner, size }: Wish, { runners, defaultRunner }: Routing) {
  const sized = Object.keys(runners).filter(
    (name) => size !== undefined && runners[name]?.sizes.includes(size) === true,
  );
  const firsts = runner !== undefined ? [runner] : sized.length > 0 ? sized : [defaultRunner];
  const standIns = firsts.flatMap((name) => runners[name]?.fallback ?? []);
  return [...new Set([...firsts, ...standIns])];
}

const WAITS_FOR_RUNNER: ReadonlySet<WaitCode> = new Set([
  ...(["no-slot", "runner-paused", "launch-delay", "budget"] as const),
]);

/** Counts how many tasks wait for each runner and for nothing else. */
export function queuedByRunner(
  { waiting }: DispatchDecision,
  { routes }: FreeSlots,
): ReadonlyMap<string, number> {
  const queued = new Map<string, number>();
  for (const { id, code } of waiting) {
    const runner = WAITS_FOR_RUNNER.has(code) ? routes?.get(id)?.runners[0] : undefined;
    if (runner !== undefined) queued.set(runner, (queued.get(runner) ?? 0) + 1);
  }
  return queued;
}

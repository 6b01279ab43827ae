import type { TaskId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Clock } from "../ports/clock.ts";
import { assertNever } from "../shared/assert-never.ts";
import { sleep } from "../shared/sleep.ts";

export type StopPolicy = "finish" | "stop" | "leave";

/** Tells what became of the runs that were under way. */
export interface StopReport {
  readonly finished: readonly TaskId[];
  readonly requeued: readonly TaskId[];
  /** They go on without us; the next start takes them up. */
  readonly left: readonly TaskId[];
}

interface RunsUnderWay {
  running(): readonly Run[];
  allEnded(): Promise<void>;
  stop(reason: string): Promise<void>;
  leave(): void;
}

export interface StopOptions {
  readonly policy: StopPolicy;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Ends, awaits or lets go of what is under way; nothing new may start meanwhile. */
export async function stopRuns(
  runs: RunsUnderWay,
  { policy, timeoutMs, clock }: StopOptions,
): Promise<StopReport> {
  const before = tasksOf(runs);
  switch (policy) {
    case "finish": {
      await endedWithin(runs, clock, timeoutMs);
      const late = tasksOf(runs);
      await runs.stop("the app was stopped before the run had ended");
      return { finished: before.filter((task) => !late.includes(task)), requeued: late, left: [] };
    }
    case "stop":
      await runs.stop("the app was stopped");
      return { finished: [], requeued: before, left: [] };
    case "leave":
      runs.leave();
      return { finished: [], requeued: [], left: before };
    default:
      return assertNever(policy);
  }
}

function tasksOf(runs: RunsUnderWay): readonly TaskId[] {
  return runs.running().map(({ task }) => task);
}

async function endedWithin(runs: RunsUnderWay, clock: Clock, ms: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([runs.allEnded(), sleep(ms, clock, ended.signal)]);
  ended.abort();
}

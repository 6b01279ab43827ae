import type { TaskId } from "../../domain/ids.ts";
import type { Backlog } from "../../planner/backlog.ts";
import { playOutMs } from "../../planner/play-out.ts";
import type { TaskTimes } from "../../planner/play-out.ts";
import { serialTime } from "./result.ts";
import type { Span } from "./result.ts";

/** What was measured, by the tasks' ids in the file. */
export interface Measured {
  readonly spans: readonly (Span & { readonly id: string })[];
  /** Before further attempts. */
  readonly pauses: ReadonlyMap<string, readonly number[]>;
  readonly landed: ReadonlySet<string>;
  readonly wallTimeMs: number;
}

export interface SpeedUps {
  /** Against one thing after the other. */
  readonly speedUp: number;
  /** The most that the plan allows: the same runs on the same slots, landings one after the other, and nothing else takes time. */
  readonly speedUpAllowed: number;
}

export function speedUps(
  measured: Measured,
  { backlog, slots }: { readonly backlog: Backlog; readonly slots: number },
): SpeedUps {
  const serialMs = serialTime(measured.spans);
  const timesOf = (id: TaskId): TaskTimes => taskTimes(id, measured);
  const allowedMs = playOutMs(backlog, { slots, timesOf });
  return {
    speedUp: serialMs / Math.max(1, measured.wallTimeMs),
    speedUpAllowed: serialMs / Math.max(1, allowedMs),
  };
}

function taskTimes(id: string, { spans, pauses, landed }: Measured): TaskTimes {
  const durations = (kind: Span["kind"]): readonly number[] =>
    spans
      .filter((span) => span.id === id && span.kind === kind)
      .map(({ startedAt, finishedAt }) => finishedAt - startedAt);
  const landing = landed.has(id) ? (durations("verify").at(-1) ?? 0) : undefined;
  return { runs: durations("run"), pauses: pauses.get(id) ?? [], landing };
}

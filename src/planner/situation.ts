import type { Instant, TaskId } from "../domain/ids.ts";
import type { Backlog } from "./backlog.ts";
import type { Hold } from "./obstacle.ts";
import type { SlotLedger } from "./slot-ledger.ts";

/** `ended`: without landing. `stranded`: waiting, but for a task that ended without landing. */
export type Standing = "waiting" | "holding" | "landed" | "ended" | "stranded";

/** `rework`: holds its claims and needs only a slot to go on. `review`: waits for a person. `queued`: in the train. */
export type HoldingPhase = "running" | "rework" | "review" | "queued";

export interface Holder {
  readonly at: number;
  readonly phase: HoldingPhase;
  /** When its claims are expected to be free; unknown while a person decides. */
  readonly endsAt: number | undefined;
  /** Where it runs, when that is known. */
  readonly runner?: string | undefined;
}

export interface DispatchRules {
  readonly schedule: "rolling" | "waves";
  readonly onFailure: "continue" | "stop-wave";
  readonly launchDelayMs: number;
  /** Nothing new starts while this many tasks wait for a review. */
  readonly reviewLimit: number;
  /** Expected time from the end of a run to its landing: claims are held for that long as well. */
  readonly landingMs: number;
  /** How long a task that runs alone, and any other, may be overtaken. */
  readonly reserveAloneAfterMs: number;
  readonly reserveAfterMs: number;
}

const MINUTE = 60_000;

/** 15 minutes are about 3.5 median runs: exclusive tasks then wait 38 minutes at the 95th percentile at load 0.8. */
export const DEFAULT_RULES: DispatchRules = {
  schedule: "rolling",
  onFailure: "continue",
  launchDelayMs: 0,
  reviewLimit: Infinity,
  landingMs: 0,
  reserveAloneAfterMs: 15 * MINUTE,
  reserveAfterMs: 60 * MINUTE,
};

/** Everything one round of dispatch looks at, by position. A round marks in it what it starts. */
export interface Situation {
  readonly now: number;
  readonly backlog: Backlog;
  readonly rules: DispatchRules;
  readonly standings: Standing[];
  /** Waiting tasks, best first; entries that wait no more are passed over. */
  readonly queue: readonly number[];
  readonly holders: Holder[];
  readonly slots: SlotLedger;
  /** The wave in progress; no other task may start. */
  readonly wave: ReadonlySet<number> | undefined;
  /** The place of each task in the plan whose order conflicting tasks keep. */
  readonly places: Float64Array | undefined;
  readonly failures: readonly TaskId[];
  readonly notBefore: ReadonlyMap<TaskId, Instant> | undefined;
  readonly lastStartAt: Instant | undefined;
  readonly hold?: Hold | undefined;
}

/** Whether nothing but claims, slots and turns keeps the task from starting. */
export function isReady(at: number, situation: Situation): boolean {
  const { backlog, standings } = situation;
  return (
    standings[at] === "waiting" &&
    backlog.dependencies.causes[at] === undefined &&
    (backlog.dependencies.before[at] ?? []).every((other) => standings[other] === "landed") &&
    delayedUntil(at, situation) === undefined
  );
}

export function delayedUntil(at: number, situation: Situation): Instant | undefined {
  const { backlog, notBefore, now } = situation;
  const task = notBefore && backlog.tasks[at];
  const until = task && notBefore.get(task.id);
  return until !== undefined && until > now ? until : undefined;
}

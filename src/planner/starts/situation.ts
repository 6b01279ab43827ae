import type { Instant, TaskId } from "../../domain/ids.ts";
import type { Backlog } from "../waves/backlog.ts";
import type { StartBan } from "./obstacle.ts";
import type { SlotLedger } from "./slot-ledger.ts";

/** An `ended` task did not land. A `stranded` task waits for a task that ended without landing. */
export type Standing = "waiting" | "holding" | "landed" | "ended" | "stranded";

/** In `rework` a task holds its claims and needs only a slot to go on. In `review` it waits for a person. If `queued`, it is in the train. */
export type HolderStage = "running" | "rework" | "review" | "queued";

export interface Holder {
  readonly at: number;
  readonly stage: HolderStage;
  /** Says when its claims are expected to be free. It is unknown while a person decides. */
  readonly endsAt: number | undefined;
  /** Says where it runs, if that is known. */
  readonly runner?: string | undefined;
}

export interface DispatchRules {
  readonly schedule: "rolling" | "waves";
  readonly onFailure: "continue" | "stop-wave";
  readonly launchDelayMs: number;
  /** Nothing new starts while this many tasks wait for a review. */
  readonly reviewLimit: number;
  /** Is the expected time from the end of a run to its landing: claims are held for that long as well. */
  readonly landingMs: number;
  /** Says how long a task that runs alone may be overtaken; the next field says it for any other task. */
  readonly reserveAloneAfterMs: number;
  readonly reserveAfterMs: number;
}

const MINUTE_MS = 60_000;

/** 15 minutes are about 3.5 median runs: exclusive tasks then wait 38 minutes at the 95th percentile at load 0.8. */
export const DEFAULT_RULES: DispatchRules = {
  schedule: "rolling",
  onFailure: "continue",
  launchDelayMs: 0,
  reviewLimit: Infinity,
  landingMs: 0,
  reserveAloneAfterMs: 15 * MINUTE_MS,
  reserveAfterMs: 60 * MINUTE_MS,
};

/** Holds everything that one round of dispatch looks at, by position. A round marks in it what it starts. */
export interface Situation {
  readonly now: number;
  readonly backlog: Backlog;
  readonly rules: DispatchRules;
  readonly standings: Standing[];
  /** Lists the waiting tasks, best first. Entries that wait no more are skipped. */
  readonly queue: readonly number[];
  readonly holders: Holder[];
  readonly slots: SlotLedger;
  /** This is the wave in progress; no other task may start. */
  readonly wave: ReadonlySet<number> | undefined;
  /** Gives each task its place in the plan, when conflicting tasks have to keep the plan's order. */
  readonly places: Float64Array | undefined;
  readonly failures: readonly TaskId[];
  readonly notBefore: ReadonlyMap<TaskId, Instant> | undefined;
  readonly lastStartAt: Instant | undefined;
  readonly startBan?: StartBan | undefined;
}

/** Says whether nothing but claims, slots and turns keeps the task from starting. */
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

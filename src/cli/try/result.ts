import { lastLines } from "../../domain/failure.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Whereabouts } from "../../domain/story/reason-of.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import { playOutMs } from "../../planner/play-out.ts";
import type { TaskTimes } from "../../planner/play-out.ts";
import type { Backlog } from "../../planner/waves/backlog.ts";
import { serialTime } from "../trial/spans.ts";
import type { Span } from "../trial/spans.ts";
import { spentBy, total } from "../trial/spent.ts";
import type { Spent } from "../trial/spent.ts";
import type { TaskView } from "./view.ts";

/** This is one task as `wavetrain try --json` reports it. Times are ISO 8601, null where the thing did not happen. */
export interface TaskResult {
  readonly id: string;
  readonly state: TaskState;
  /** It is finer than the state: a run and a landing are followed step by step. */
  readonly whereabouts: Whereabouts;
  readonly outcome: string | null;
  readonly reason: string;
  readonly attempts: number;
  readonly wave: number | null;
  readonly pr: number | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly landedAt: string | null;
  readonly landedSha: string | null;
  /** Its agents took so long, in all attempts. */
  readonly agentMs: number;
  /** Its changes were verified for so long, in all attempts and on the way to the base. */
  readonly verifyMs: number;
  /** It adds up what the runner told of all attempts; null where it tells nothing. */
  readonly usage: Spent | null;
  /** The last run's runner, its last lines and its log say why the task did not land. */
  readonly runner: string | null;
  readonly tail: readonly string[];
  readonly log: string | null;
}

export interface TryResult {
  readonly tasks: readonly TaskResult[];
  /** `interrupted`: somebody ended it before all was at rest; `red-base`: nothing was begun, because the base itself fails. */
  readonly end: "at-rest" | "interrupted" | "red-base";
  readonly main: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly apiCalls: {
    readonly rest: number;
    readonly graphql: number;
    readonly writes: number;
    readonly contentWrites: number;
    readonly refused: number;
  };
  readonly maxParallel: number;
  /** All runs and verifications would take this long one after the other. */
  readonly serialTimeMs: number;
  readonly wallTimeMs: number;
  /**
   * It compares with doing one thing after the other; `speedUpAllowed` is the most that the plan allows with landings one after the other.
   */
  readonly speedUp: number;
  readonly speedUpAllowed: number;
  readonly repo: string;
}

/** It holds the measurements by the tasks' ids in the file. */
export interface Measured {
  readonly spans: readonly (Span & { readonly id: string })[];
  /** These are the pauses before further attempts. */
  readonly pauses: ReadonlyMap<string, readonly number[]>;
  readonly landed: ReadonlySet<string>;
  readonly wallTimeMs: number;
}

interface TaskPast extends Pick<TaskView, "whereabouts" | "why"> {
  readonly runs: readonly Run[];
  /** These are the verifications of its changes on top of the base. */
  readonly landing: readonly Span[];
  readonly wave: number | null;
}

export function taskResult(
  id: string,
  task: Task | undefined,
  { runs, landing, wave, whereabouts, why }: TaskPast,
): TaskResult {
  if (task === undefined) return { ...UNSEEN, id, wave };
  const own = runs.filter((run) => run.task === task.id);
  const last = own.at(-1);
  return {
    id,
    state: task.state,
    whereabouts,
    outcome: last?.outcome?.kind ?? null,
    reason: why,
    attempts: task.attempts,
    wave,
    pr: task.pull ?? null,
    startedAt: isoOf(own[0]?.startedAt),
    finishedAt: isoOf(last?.finishedAt),
    landedAt: task.state === "landed" ? isoOf(task.changedAt) : null,
    landedSha: task.landedSha ?? null,
    agentMs: total(own.map(agentTime)),
    verifyMs: total(own.map(checkTime)) + serialTime(landing),
    usage: spentBy(own),
    ...wordsOf(last),
  };
}

function wordsOf(last: Run | undefined): Pick<TaskResult, "runner" | "tail" | "log"> {
  if (last === undefined) return { runner: null, tail: [], log: null };
  const { runner, outcome, logPath } = last;
  return { runner, tail: outcome === undefined ? [] : lastLines(outcome), log: logPath ?? null };
}

/** Its last run says why the task did not land. */
export function hasFailedRun({ state, outcome }: TaskResult): boolean {
  return state !== "landed" && outcome !== null && outcome !== "succeeded";
}

function agentTime({ startedAt, agentEndedAt, finishedAt }: Run): number {
  const end = agentEndedAt ?? finishedAt;
  return startedAt === undefined || end === undefined ? 0 : end - startedAt;
}

function checkTime({ agentEndedAt, finishedAt }: Run): number {
  return agentEndedAt === undefined || finishedAt === undefined ? 0 : finishedAt - agentEndedAt;
}

/** This is reported when the trial was interrupted before the app had read the board. */
const UNSEEN: Omit<TaskResult, "id" | "wave"> = {
  state: "waiting",
  whereabouts: "waiting",
  outcome: null,
  reason: "it was not begun",
  attempts: 0,
  pr: null,
  startedAt: null,
  finishedAt: null,
  landedAt: null,
  landedSha: null,
  agentMs: 0,
  verifyMs: 0,
  usage: null,
  runner: null,
  tail: [],
  log: null,
};

function isoOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

interface SpeedUps {
  /** It compares with doing one thing after the other. */
  readonly speedUp: number;
  /** The plan allows no more than this: the same runs on the same slots, landings one after the other, and nothing else takes time. */
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

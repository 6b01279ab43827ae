import { instant } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { takesSlot } from "../domain/run.ts";
import type { EndedRun } from "../domain/run.ts";
import { definitionsOf } from "../scheduler/slots/runner-definition.ts";
import { healthOf, limitsFrom } from "../scheduler/slots/slots.ts";
import { endedRunStatus } from "./last-run.ts";
import type { EndedRunStatus } from "./last-run.ts";
import type { ControlSource } from "./route.ts";

export interface RunnerStatus {
  readonly name: string;
  readonly slots: number;
  /** So many of its slots are in use on this server. */
  readonly busy: number;
  readonly paused: PauseStatus | null;
  /** It takes one run at a time until one shows that it works again. */
  readonly trial: boolean;
  /** It is null when nothing of it failed within a day. */
  readonly lastFailure: EndedRunStatus | null;
}

interface PauseStatus {
  readonly since: Instant;
  /** It is null when only a person can end the pause. */
  readonly until: Instant | null;
  readonly because: string;
}

type RunnersSource = Pick<ControlSource, "store" | "clock" | "operator" | "host" | "running">;

const RECENT_MS = 24 * 60 * 60 * 1000;

/** Says how each runner of this server is. */
export async function readRunners(source: RunnersSource): Promise<readonly RunnerStatus[]> {
  const { store, clock, operator, host } = source;
  const now = clock.now();
  const recent = await store.recentRuns(instant(now - RECENT_MS));
  const use = {
    now,
    recent,
    running: source.running().filter(takesSlot),
    definitions: definitionsOf(operator, host.environment),
    lifts: await store.runnerLifts(),
  };
  const { rest } = limitsFrom(operator);
  const runners = Object.entries(operator.runners).map(async ([name, { slots }]) => {
    const { pause, trial } = healthOf(name, rest, use);
    return {
      name,
      slots,
      busy: use.running.filter(({ runner }) => runner === name).length,
      paused: pause === undefined ? null : pauseStatus(pause),
      trial,
      lastFailure: await lastFailure(name, recent, source),
    };
  });
  return Promise.all(runners);
}

/** Each sentence names a runner that takes nothing until a person does something. */
export async function runnerNotices(source: RunnersSource): Promise<readonly string[]> {
  return (await readRunners(source)).flatMap(({ name, paused }) =>
    paused === null || paused.until !== null
      ? []
      : [
          `runner ${name} takes nothing: ${paused.because}; wavetrain runners says more, and wavetrain runners lift ${name} lets it try again`,
        ],
  );
}

/** A pause follows from runs, so one of their repositories keeps the lift on record. */
export async function repoOfPause(
  name: string,
  { store, clock }: Pick<RunnersSource, "store" | "clock">,
): Promise<RepoName | undefined> {
  const recent = await store.recentRuns(instant(clock.now() - RECENT_MS));
  return recent.find(({ runner }) => runner === name)?.repo;
}

function pauseStatus(pause: {
  readonly since: Instant;
  readonly until: Instant | undefined;
  readonly because: string;
}): PauseStatus {
  const { since, until, because } = pause;
  return { since, until: until ?? null, because };
}

async function lastFailure(
  name: string,
  recent: readonly EndedRun[],
  { store }: Pick<RunnersSource, "store">,
): Promise<EndedRunStatus | null> {
  const last = recent.find((run) => run.runner === name && isFailure(run));
  if (last === undefined) return null;
  const run = (await store.runsOf([last.task])).find(({ id }) => id === last.id);
  return (run && endedRunStatus(run)) ?? null;
}

function isFailure({ kind, interrupted }: EndedRun): boolean {
  return kind !== "succeeded" && kind !== "cancelled" && !interrupted;
}

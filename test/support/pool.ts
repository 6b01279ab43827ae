import { runId, taskId } from "../../src/domain/ids.ts";
import type { EndedRun } from "../../src/domain/run.ts";
import type { PooledRunner, RunnerLimits } from "../../src/scheduler/slots/slots.ts";
import { NOW, REPO } from "./builders.ts";

export const MINUTE_MS = 60_000;

export function aRunner(members: Partial<PooledRunner> = {}): PooledRunner {
  return { slots: 8, sizes: [], fallback: [], memory: 0, ...members };
}

/** One runner called agent with eight slots, and nothing else in the way. */
export function someLimits(members: Partial<RunnerLimits> = {}): RunnerLimits {
  return {
    runners: { agent: aRunner() },
    defaultRunner: "agent",
    overall: 8,
    finishing: 2,
    launchDelayMs: 0,
    fallbackAfterMs: 10 * MINUTE_MS,
    minFreeMemory: 0,
    rest: { failures: 3, firstMs: MINUTE_MS, longestMs: 30 * MINUTE_MS },
    budget: { perTask: {}, perDay: {} },
    ...members,
  };
}

/** A run that took a minute and has just succeeded. */
export function anEndedRun(members: Partial<EndedRun> = {}): EndedRun {
  const finishedAt = members.finishedAt ?? NOW;
  return {
    id: runId("run-1"),
    repo: REPO,
    task: taskId("octo/app#1"),
    runner: "agent",
    queuedAt: (finishedAt - MINUTE_MS) as EndedRun["queuedAt"],
    startedAt: (finishedAt - MINUTE_MS) as EndedRun["queuedAt"],
    finishedAt,
    kind: "succeeded",
    until: undefined,
    interrupted: false,
    usage: undefined,
    definition: undefined,
    ...members,
  };
}

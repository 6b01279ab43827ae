import type { OperatorConfig } from "../config/schema/operator-config.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import { takesSlot } from "../domain/run.ts";
import type { EndedRun, Run } from "../domain/run.ts";
import type { QueueState } from "../ports/pool-events.ts";
import { utilizationOf } from "../scheduler/slots/utilization.ts";

export interface RunnerUse {
  readonly name: string;
  readonly slots: number;
  /** So many tasks wait for this runner and for nothing else. */
  readonly waiting: number;
  readonly busy: number;
  /** So many more could start now: the server's slots count, too. */
  readonly free: number;
  /** It says how much of its slots was in use within the last hour, from 0 to 1. */
  readonly utilization: number;
}

export interface RunnersSeen {
  readonly operator: Pick<OperatorConfig, "slots" | "runners" | "store">;
  readonly hostName: string;
  readonly now: Instant;
  /** These are the runs under way on this host. */
  readonly running: readonly Run[];
  /** These are the runs that ended within the last hour, on whatever host. */
  readonly recent: readonly EndedRun[];
  readonly queues: ReadonlyMap<string, Pick<QueueState, "waiting">>;
}

export const UTILIZATION_MS = 3_600_000;

export function runnerUse(seen: RunnersSeen): readonly RunnerUse[] {
  const { operator, queues } = seen;
  const atWork = seen.running.filter(takesSlot);
  const left = Math.max(0, operator.slots - atWork.length);
  const used = utilization(seen);
  return Object.entries(operator.runners).map(([name, { slots }]) => {
    const busy = atWork.filter(({ runner }) => runner === name).length;
    return {
      name,
      slots,
      waiting: queues.get(name)?.waiting ?? 0,
      busy,
      free: Math.max(0, Math.min(slots - busy, left)),
      utilization: used.get(name) ?? 0,
    };
  });
}

/** A slot that the server's own limit never lets be used is not counted as idle. */
function utilization({ operator, hostName, now, running, recent }: RunnersSeen) {
  // A server that is alone on its store has done all of it, under whatever name it had then.
  const isAlone = operator.store.url === undefined;
  const underWay = new Set(running.map(({ id }) => id));
  const here = recent.filter(
    ({ id, host = hostName }) => (isAlone || host === hostName) && !underWay.has(id),
  );
  const busy = [...running, ...here].map(({ runner, startedAt, finishedAt, agentEndedAt }) => ({
    runner,
    startedAt,
    finishedAt: agentEndedAt ?? finishedAt,
  }));
  const slots = Object.entries(operator.runners).map(
    ([name, runner]) => [name, Math.max(1, Math.min(runner.slots, operator.slots))] as const,
  );
  return utilizationOf(busy, { from: instant(now - UTILIZATION_MS), now, slots: new Map(slots) });
}

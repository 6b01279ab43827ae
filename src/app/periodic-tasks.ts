import type { OperatorConfig } from "../config/schema/operator-config.ts";
import { instant } from "../domain/ids.ts";
import type { Delivery } from "../domain/signal.ts";
import { EVENTS, INSTALLATION_EVENTS } from "../intake/events.ts";
import { markUnwatched } from "../intake/signals.ts";
import { DeliverySweep } from "../intake/sweep-deliveries.ts";
import type { Loop } from "../loop/loop.ts";
import { PeriodicTask } from "../loop/periodic-task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Deliveries } from "../ports/deliveries.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";

/** Webhooks tell at once, and the list of deliveries tells of webhooks that were lost: this is for what neither says. */
const LOOK_FOR_REPOS_EVERY_MS = 30 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A server that is restarted again and again has better things to do first. */
const UPKEEP_AFTER_MS = 5 * 60 * 1000;

/** Work that was under way when the server stopped goes on first. */
const CHECK_AFTER_MS = 2_000;

/** GitHub lists deliveries for three days: a signal forgotten sooner would be taken for a missed one. */
const LISTED_MS = 4 * DAY_MS;

export interface PeriodicTaskParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly operator: OperatorConfig;
  readonly loop: Loop;
  readonly deliveries: Deliveries;
  readonly receive: (delivery: Delivery) => Promise<void>;
  /** Finds out what is wrong with the store's file. It is undefined where the store is a database of its own. */
  readonly checkStore: (() => Promise<string | undefined>) | undefined;
  readonly halt: (reason: string) => void;
  /** Asks GitHub which repositories there are. */
  readonly lookForRepos: () => Promise<void>;
}

export interface PeriodicTasks {
  readonly busy: boolean;
  start(): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the tasks that run beside the ticks: they look for missed deliveries and forget what nobody needs any more. */
export function createPeriodicTasks(parts: PeriodicTaskParts): PeriodicTasks {
  const tasks = [deliverySweep(parts), repoLook(parts), storeUpkeep(parts), ...storeCheck(parts)];
  return {
    get busy() {
      return tasks.some((task) => task.busy);
    },
    start() {
      for (const task of tasks) task.start();
    },
    async idle() {
      await Promise.all(tasks.map((task) => task.idle()));
    },
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

function deliverySweep({ clock, log, store, operator, ...parts }: PeriodicTaskParts): PeriodicTask {
  const { deliveries, receive, loop } = parts;
  const events = [...EVENTS, ...INSTALLATION_EVENTS];
  const sweep = new DeliverySweep({ deliveries, store, log, events, receive });
  return new PeriodicTask({
    clock,
    log,
    name: "look for missed deliveries",
    firstAfterMs: 0,
    everyMs: operator.deliveriesEvery,
    work: async () => {
      await sweep.run();
      await markUnwatched(store, loop.watched(), clock.now());
    },
  });
}

function repoLook({ clock, log, lookForRepos: work }: PeriodicTaskParts): PeriodicTask {
  const everyMs = LOOK_FOR_REPOS_EVERY_MS;
  const when = { firstAfterMs: everyMs, everyMs };
  return new PeriodicTask({ ...when, clock, log, name: "look for repositories", work });
}

/** Checks once the server answers and then every day, because damage to pages that nobody reads stays unseen. */
function storeCheck({ clock, log, checkStore, halt }: PeriodicTaskParts): readonly PeriodicTask[] {
  if (checkStore === undefined) return [];
  const work = async (): Promise<void> => {
    const damage = await checkStore();
    if (damage !== undefined) halt(damage);
  };
  const when = { firstAfterMs: CHECK_AFTER_MS, everyMs: DAY_MS };
  return [new PeriodicTask({ ...when, clock, log, name: "check the store", work })];
}

function storeUpkeep({ clock, log, store, operator }: PeriodicTaskParts): PeriodicTask {
  return new PeriodicTask({
    clock,
    log,
    name: "compact the store",
    firstAfterMs: UPKEEP_AFTER_MS,
    everyMs: DAY_MS,
    work: async () => {
      const now = clock.now();
      const signalsMs = Math.max(operator.keepSignalsFor, LISTED_MS);
      const forgotten = await store.forgetSignals(instant(now - signalsMs));
      const compacted = await store.compact(instant(now - operator.keepEventsFor));
      log.info({ signals: forgotten, ...compacted }, "store compacted");
    },
  });
}

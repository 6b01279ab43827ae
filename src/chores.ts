import { Chore } from "./chore.ts";
import type { OperatorConfig } from "./config/schema.ts";
import { DeliverySweep } from "./deliveries/sweep.ts";
import type { Delivery } from "./domain/delivery.ts";
import { instant } from "./domain/ids.ts";
import type { Loop } from "./loop.ts";
import { markUnwatched } from "./mark-unwatched.ts";
import type { Clock } from "./ports/clock.ts";
import type { Deliveries } from "./ports/deliveries.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";
import { EVENTS, INSTALLATION_EVENTS } from "./webhooks/events.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A server that is restarted again and again has better things to do first. */
const UPKEEP_AFTER_MS = 5 * 60 * 1000;

/** What was at work when the server stopped goes on first. */
const CHECK_AFTER_MS = 2_000;

/** GitHub lists deliveries for three days: a signal forgotten sooner would be taken for a missed one. */
const LISTED_MS = 4 * DAY_MS;

export interface ChoreParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly operator: OperatorConfig;
  readonly loop: Loop;
  readonly deliveries: Deliveries;
  readonly receive: (delivery: Delivery) => Promise<void>;
  /** What is wrong with the store's file; there is none to look at where it is a database of its own. */
  readonly checkStore: (() => Promise<string | undefined>) | undefined;
  readonly halt: (reason: string) => void;
}

export interface Chores {
  readonly busy: boolean;
  start(): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** What is done beside the ticks: looking for missed deliveries, and forgetting what nobody needs any more. */
export function createChores(parts: ChoreParts): Chores {
  const chores = [deliveryChore(parts), upkeepChore(parts), ...checkChore(parts)];
  return {
    get busy() {
      return chores.some((chore) => chore.busy);
    },
    start() {
      for (const chore of chores) chore.start();
    },
    async idle() {
      await Promise.all(chores.map((chore) => chore.idle()));
    },
    async stop() {
      await Promise.all(chores.map((chore) => chore.stop()));
    },
  };
}

function deliveryChore({ clock, log, store, operator, ...parts }: ChoreParts): Chore {
  const { deliveries, receive, loop } = parts;
  const events = [...EVENTS, ...INSTALLATION_EVENTS];
  const sweep = new DeliverySweep({ deliveries, store, log, events, receive });
  return new Chore({
    ...{ clock, log, name: "look for missed deliveries" },
    firstAfterMs: 0,
    everyMs: operator.deliveriesEvery,
    work: async () => {
      await sweep.run();
      await markUnwatched(store, loop.watched(), clock.now());
    },
  });
}

/** Once the server answers, and then every day: pages that nobody reads may be damaged for long. */
function checkChore({ clock, log, checkStore, halt }: ChoreParts): readonly Chore[] {
  if (checkStore === undefined) return [];
  const work = async (): Promise<void> => {
    const damage = await checkStore();
    if (damage !== undefined) halt(damage);
  };
  const when = { firstAfterMs: CHECK_AFTER_MS, everyMs: DAY_MS };
  return [new Chore({ ...when, clock, log, name: "check the store", work })];
}

function upkeepChore({ clock, log, store, operator }: ChoreParts): Chore {
  return new Chore({
    ...{ clock, log, name: "compact the store" },
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

import { Chore } from "./chore.ts";
import type { OperatorConfig } from "./config/schema.ts";
import { DeliverySweep } from "./deliveries/sweep.ts";
import type { Delivery } from "./domain/delivery.ts";
import type { Loop } from "./loop.ts";
import { markUnwatched } from "./mark-unwatched.ts";
import type { Clock } from "./ports/clock.ts";
import type { Deliveries } from "./ports/deliveries.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";
import { EVENTS, INSTALLATION_EVENTS } from "./webhooks/events.ts";

export interface ChoreParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly operator: OperatorConfig;
  readonly loop: Loop;
  readonly deliveries: Deliveries;
  readonly receive: (delivery: Delivery) => Promise<void>;
}

export interface Chores {
  readonly busy: boolean;
  start(): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** What is done beside the ticks: looking for missed deliveries. */
export function createChores(parts: ChoreParts): Chores {
  const chores = [deliveryChore(parts)];
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

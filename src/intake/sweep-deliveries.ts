import type { Delivery } from "../domain/signal.ts";
import type { Deliveries, DeliveryAttempt } from "../ports/deliveries.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { decideMissed } from "./decide-missed.ts";
import { MalformedDelivery, readDelivery } from "./read-delivery.ts";

/** The newest attempt that was looked at is stored under this key among the publications, so that it survives a restart. */
const MARK = "deliveries:seen";
/** Each read costs a call. Deliveries beyond this number wait for the next sweep. */
const MAX_READS = 200;

export interface SweepOptions {
  readonly deliveries: Deliveries;
  readonly store: Store;
  readonly log: Log;
  readonly events: readonly string[];
  /** It does the same as a webhook does. */
  readonly receive: (delivery: Delivery) => Promise<void>;
}

/** Finds deliveries that never arrived and takes them in as if they had. It costs one call when there are none. */
export class DeliverySweep {
  readonly #options: SweepOptions;
  #version: string | undefined;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { deliveries, store, log } = this.#options;
    const seen = await readMark(store);
    const list = await deliveries.list({ seen, version: this.#version });
    if (list.kind === "unchanged") return;
    if (!list.complete) log.warn({}, "older deliveries not looked at");
    const missed = await this.#missed(list.attempts, seen === undefined);
    const now = missed.slice(0, MAX_READS);
    for (const attempt of now) await this.#takeIn(attempt);
    const whole = now.length === missed.length;
    const last = whole ? list.attempts[0] : now.at(-1);
    if (last !== undefined && last.id !== seen) await saveMark(store, last.id);
    this.#version = whole ? list.version : undefined;
    if (missed.length > 0) log.info({ missed: missed.length }, "missed deliveries taken in");
  }

  async #missed(
    attempts: readonly DeliveryAttempt[],
    firstLook: boolean,
  ): Promise<readonly DeliveryAttempt[]> {
    const { store, events } = this.#options;
    const known = await store.knownSignals(attempts.map(({ guid }) => guid));
    return decideMissed({ attempts, known, events: new Set(events), firstLook });
  }

  async #takeIn(attempt: DeliveryAttempt): Promise<void> {
    const { deliveries, log } = this.#options;
    const delivery = await deliveries.read(attempt);
    if (delivery === undefined) log.warn({ delivery: attempt.guid }, "missed delivery is gone");
    else await this.#receive(delivery);
  }

  /** A malformed delivery is only logged. If it failed the sweep, every later sweep would find it again. */
  async #receive(delivery: Delivery): Promise<void> {
    const { receive, log } = this.#options;
    try {
      await receive(readDelivery(delivery));
    } catch (error) {
      if (!(error instanceof MalformedDelivery)) throw error;
      log.warn({ delivery: delivery.id, reason: error.message }, "missed delivery refused");
    }
  }
}

async function readMark(store: Store): Promise<string | undefined> {
  const mark = await store.publication(MARK);
  return mark?.remoteId;
}

async function saveMark(store: Store, id: string): Promise<void> {
  await store.savePublication({ key: MARK, remoteId: id, digest: "" });
}

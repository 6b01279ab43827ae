import type { Kysely } from "kysely";
import type { Signal } from "../../domain/signal.ts";
import { signalRow } from "./signal-row.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";

type Answer = "new" | "duplicate";

interface Waiting {
  readonly signal: Signal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Adds signals so that those that arrive in one turn of the event loop share one sync of the disk: a burst of webhooks costs a few
 * syncs, not one each. Idempotent by delivery id: GitHub sends a redelivery under the id of the first.
 */
export function signalIntake(db: Kysely<Tables>): (signal: Signal) => Promise<Answer> {
  let waiting: Waiting[] = [];

  const flush = async (): Promise<void> => {
    const arrived = waiting;
    waiting = [];
    for (const some of slices(arrived)) await answer(db, some);
  };

  return (signal) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ signal, resolve, reject });
    });
}

async function answer(db: Kysely<Tables>, waiting: readonly Waiting[]): Promise<void> {
  try {
    const added = await insert(
      db,
      waiting.map(({ signal }) => signal),
    );
    for (const { signal, resolve } of waiting) {
      resolve(added.delete(signal.deliveryId) ? "new" : "duplicate");
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

async function insert(db: Kysely<Tables>, signals: readonly Signal[]): Promise<Set<string>> {
  const added = await db
    .insertInto("signals")
    .values(inOrder(signals).map(signalRow))
    .onConflict((conflict) => conflict.column("deliveryId").doNothing())
    .returning("deliveryId")
    .execute();
  return new Set(added.map((row) => row.deliveryId));
}

/** Two processes that add the same deliveries in different orders would wait for each other. */
function inOrder(signals: readonly Signal[]): readonly Signal[] {
  return [...signals].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}

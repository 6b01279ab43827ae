import type { Kysely } from "kysely";
import type { Instant } from "../../../domain/ids.ts";
import type { Signal } from "../../../domain/signal.ts";
import { signalFromRow, signalRow } from "../rows/intake-rows.ts";
import { slices } from "../rows/tables.ts";
import type { Tables } from "../rows/tables.ts";

type Answer = "new" | "duplicate";

interface Waiting {
  readonly signal: Signal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Adds signals so that those that arrive in one turn of the event loop share one sync of the disk: a burst of webhooks costs a few
 * syncs, not one each. A delivery id is added only once: GitHub sends a redelivery under the id of the first.
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

export async function knownSignals(
  db: Kysely<Tables>,
  deliveryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const some of slices(deliveryIds)) {
    const known = db.selectFrom("signals").select("deliveryId").where("deliveryId", "in", some);
    for (const { deliveryId } of await known.execute()) found.add(deliveryId);
  }
  return found;
}

export async function unseenSignals(db: Kysely<Tables>): Promise<readonly Signal[]> {
  const unseen = db.selectFrom("signals").selectAll().where("seenAt", "is", null);
  const rows = await unseen.orderBy("receivedAt").orderBy("deliveryId").execute();
  return rows.map(signalFromRow);
}

export async function markSeen(
  db: Kysely<Tables>,
  deliveryIds: readonly string[],
  at: Instant,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const some of slices(deliveryIds)) {
      const seen = trx.updateTable("signals").set({ seenAt: at }).where("seenAt", "is", null);
      await seen.where("deliveryId", "in", some).execute();
    }
  });
}

export async function forgetSignals(db: Kysely<Tables>, before: Instant): Promise<number> {
  const seen = db.deleteFrom("signals").where("seenAt", "is not", null);
  const dropped = await seen.where("receivedAt", "<", before).executeTakeFirst();
  return Number(dropped.numDeletedRows);
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

/** Sorts the signals: two processes that add the same deliveries in different orders would wait for each other. */
function inOrder(signals: readonly Signal[]): readonly Signal[] {
  return [...signals].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}

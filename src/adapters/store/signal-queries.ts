import type { Kysely } from "kysely";
import type { Instant } from "../../domain/ids.ts";
import type { Signal } from "../../domain/signal.ts";
import { signalFromRow } from "./signal-row.ts";
import { slices } from "./slices.ts";
import type { Tables } from "./tables.ts";

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

export async function markSeenBefore(
  db: Kysely<Tables>,
  before: Instant,
  at: Instant,
): Promise<number> {
  const unseen = db.updateTable("signals").set({ seenAt: at }).where("seenAt", "is", null);
  const marked = await unseen.where("receivedAt", "<", before).executeTakeFirst();
  return Number(marked.numUpdatedRows);
}

export async function forgetSignals(db: Kysely<Tables>, before: Instant): Promise<number> {
  const seen = db.deleteFrom("signals").where("seenAt", "is not", null);
  const dropped = await seen.where("receivedAt", "<", before).executeTakeFirst();
  return Number(dropped.numDeletedRows);
}

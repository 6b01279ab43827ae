import type { Kysely } from "kysely";
import { instant } from "../../../domain/ids.ts";
import type { Instant } from "../../../domain/ids.ts";
import type { Acquired, Lease } from "../../../ports/store.ts";
import type { Tables } from "../rows/tables.ts";

export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

/**
 * One statement decides, so that only one of many who ask at once gets the lease. The row stays for ever because its number must
 * only grow.
 */
export async function acquireLease(
  db: Kysely<Tables>,
  { name, holder, ttlMs }: LeaseRequest,
  now: Instant,
): Promise<Acquired> {
  const expiresAt = instant(now + ttlMs);
  const lease = await db
    .insertInto("leases")
    .values({ name, holder, fence: 1, expiresAt })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((row) => ({
          holder,
          expiresAt,
          fence: row("leases.fence", "+", 1),
        }))
        .where((row) =>
          row.or([row("leases.expiresAt", "<=", now), row("leases.holder", "=", holder)]),
        ),
    )
    .returningAll()
    .executeTakeFirst();
  if (lease !== undefined) return { kind: "held", lease };
  const other = await db
    .selectFrom("leases")
    .selectAll()
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return { kind: "busy", holder: other.holder, until: other.expiresAt };
}

/** A lease that has run out cannot be renewed, even if nobody has taken it: its holder may have missed the time in between. */
export async function renewLease(
  db: Kysely<Tables>,
  { lease, ttlMs }: { readonly lease: Lease; readonly ttlMs: number },
  now: Instant,
): Promise<Lease | undefined> {
  const renewed = db.updateTable("leases").set({ expiresAt: instant(now + ttlMs) });
  const own = renewed.where("name", "=", lease.name).where("holder", "=", lease.holder);
  const valid = own.where("fence", "=", lease.fence).where("expiresAt", ">", now);
  return valid.returningAll().executeTakeFirst();
}

export async function releaseLease(db: Kysely<Tables>, lease: Lease): Promise<void> {
  const over = db.updateTable("leases").set({ expiresAt: instant(0) });
  const own = over.where("name", "=", lease.name).where("holder", "=", lease.holder);
  await own.where("fence", "=", lease.fence).execute();
}

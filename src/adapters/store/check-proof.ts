import type { Transaction } from "kysely";
import type { Instant, RunId } from "../../domain/ids.ts";
import { instant } from "../../domain/ids.ts";
import type { Lease, Proof } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import type { Tables } from "./tables.ts";

export interface Terms {
  readonly now: Instant;
  /** A run that was silent for longer may have been given to someone else. */
  readonly staleAfterMs: number;
}

/**
 * Throws `store-fenced` when the proof no longer holds. The row that it rests on is written with what it holds already: on an engine
 * with many writers, that keeps it as it is until the transaction ends.
 */
export async function checkProof(
  trx: Transaction<Tables>,
  proof: Proof,
  terms: Terms,
): Promise<void> {
  const holds =
    proof.kind === "lease"
      ? await leaseHolds(trx, proof.lease, terms.now)
      : await runHolds(trx, proof, terms);
  if (holds) return;
  const whose = proof.kind === "lease" ? `lease ${proof.lease.name}` : `run ${proof.run}`;
  throw new AppError("store-fenced", `cannot record by the right of ${whose}: it is lost`);
}

async function leaseHolds(
  trx: Transaction<Tables>,
  { name, holder, fence }: Lease,
  now: Instant,
): Promise<boolean> {
  const same = trx.updateTable("leases").set((row) => ({ fence: row.ref("fence") }));
  const own = same.where("name", "=", name).where("holder", "=", holder);
  const valid = own.where("fence", "=", fence).where("expiresAt", ">", now);
  return (await valid.executeTakeFirst()).numUpdatedRows === 1n;
}

async function runHolds(
  trx: Transaction<Tables>,
  { run, fence }: { readonly run: RunId; readonly fence: number },
  { now, staleAfterMs }: Terms,
): Promise<boolean> {
  const alive = await trx
    .updateTable("runs")
    .set((row) => ({ state: row.ref("state") }))
    .where("id", "=", run)
    .where("state", "in", ["queued", "running"])
    .where(({ fn }) => fn.coalesce("heartbeatAt", "queuedAt"), ">=", instant(now - staleAfterMs))
    .executeTakeFirst();
  if (alive.numUpdatedRows !== 1n) return false;
  // By the task: all candidates of an attempt, and a run that goes on with a pull request, work under one hold.
  const held = trx.selectFrom("claims").innerJoin("runs", "runs.task", "claims.id");
  const own = held.select("claims.id").where("runs.id", "=", run).where("claims.fence", "=", fence);
  return (await own.executeTakeFirst()) !== undefined;
}

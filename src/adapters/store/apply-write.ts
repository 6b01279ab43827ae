import type { Transaction } from "kysely";
import { withClaims } from "../../domain/claim-hold.ts";
import type { RepoName } from "../../domain/ids.ts";
import { canonicalJson } from "./canonical-json.ts";
import { claimsFrom } from "./claim-row.ts";
import type { Tables } from "./tables.ts";
import type { Advance, Extend, Write } from "./write.ts";

/** `project` has already paired each table with its columns; the query builder cannot follow that pairing. */
type PairedTables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Does to the tables what the write says; false when the row is not as the write needs it. */
export async function applyWrite(
  trx: Transaction<Tables>,
  repo: RepoName,
  write: Write,
): Promise<boolean> {
  const paired = trx as unknown as Transaction<PairedTables>;
  switch (write.kind) {
    case "insert": {
      const row = paired.insertInto(write.table).values({ ...write.row });
      return (await row.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    }
    case "update": {
      const { from, changedAt } = write;
      const row = paired.updateTable(write.table).set(write.set).where("id", "=", write.id);
      const inState = from === "any" ? row : row.where("state", "in", from);
      const guarded =
        changedAt === undefined ? inState : inState.where("changedAt", "=", changedAt);
      return (await guarded.where("repo", "=", repo).executeTakeFirst()).numUpdatedRows === 1n;
    }
    case "delete": {
      const row = trx.deleteFrom(write.table).where("id", "=", write.id).where("repo", "=", repo);
      return (await row.executeTakeFirst()).numDeletedRows === 1n;
    }
    case "release":
      await trx.deleteFrom("claims").where("id", "=", write.id).execute();
      return true;
    case "extend":
      return extend(trx, repo, write);
    case "advance":
      return advance(trx, write);
  }
}

async function extend(
  trx: Transaction<Tables>,
  repo: RepoName,
  { id, run, fence, add }: Extend,
): Promise<boolean> {
  const ofTask = trx.selectFrom("claims").select("claims").where("id", "=", id);
  const ofRun = ofTask.where("repo", "=", repo).where("run", "=", run).where("fence", "=", fence);
  const held = await ofRun.executeTakeFirst();
  if (held === undefined) return false;
  const claims = canonicalJson(withClaims(claimsFrom(held.claims), add));
  await trx.updateTable("claims").set({ claims }).where("id", "=", id).execute();
  return true;
}

/** Two that read the same number cannot both go on from it: the second finds it gone. */
async function advance(trx: Transaction<Tables>, { id, to }: Advance): Promise<boolean> {
  if (to === 1) {
    const first = trx.insertInto("fences").values({ id, fence: to });
    const done = await first
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    return done.numInsertedOrUpdatedRows === 1n;
  }
  const next = trx.updateTable("fences").set({ fence: to }).where("id", "=", id);
  return (await next.where("fence", "=", to - 1).executeTakeFirst()).numUpdatedRows === 1n;
}

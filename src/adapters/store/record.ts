import type { Kysely, Transaction } from "kysely";
import type { Change } from "../../domain/change.ts";
import type { RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { FIRST_LINK } from "./chain.ts";
import type { Link } from "./chain.ts";
import { eventRow } from "./event-row.ts";
import { project, subjectOf } from "./project.ts";
import type { Write } from "./project.ts";
import { refusalOf } from "./refusal.ts";
import type { Tables } from "./tables.ts";
import { timeOf } from "./time-of.ts";

/** `project` has already paired each table with its columns; the query builder cannot follow that pairing. */
type PairedTables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Writes the changes and their events, all or none. */
export async function record(
  db: Kysely<Tables>,
  repo: RepoName,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  await db.transaction().execute(async (trx) => {
    let last = await lastLink(trx);
    for (const change of changes) {
      const subject = await writeChange(trx, repo, change);
      const event = eventRow(last, { at: timeOf(change), repo, subject, change });
      await trx.insertInto("events").values(event).execute();
      last = event;
    }
  });
}

async function lastLink(trx: Transaction<Tables>): Promise<Link> {
  const newest = trx.selectFrom("events").select(["seq", "hash"]).orderBy("seq", "desc").limit(1);
  return (await newest.executeTakeFirst()) ?? FIRST_LINK;
}

/** Returns what was written about. */
async function writeChange(
  trx: Transaction<Tables>,
  repo: RepoName,
  change: Change,
): Promise<string> {
  const write = project(repo, change);
  const subject = subjectOf(write);
  const what = `${change.kind} of ${subject} in ${repo}`;
  const refusal = refusalOf(repo, change);
  if (refusal !== undefined) throw conflict(what, refusal);
  const paired = trx as unknown as Transaction<PairedTables>;
  const rows = await apply(paired, repo, write).catch((error: unknown) => {
    throw isConflict(error) ? conflict(what, "another row rules it out", error) : error;
  });
  if (rows !== 1n) throw conflict(what, "it is not in the state that the change starts from");
  return subject;
}

async function apply(
  trx: Transaction<PairedTables>,
  repo: RepoName,
  write: Write,
): Promise<bigint | undefined> {
  switch (write.kind) {
    case "insert": {
      const done = await trx
        .insertInto(write.table)
        .values({ ...write.row })
        .executeTakeFirst();
      return done.numInsertedOrUpdatedRows;
    }
    case "update": {
      const { from } = write;
      const row = trx.updateTable(write.table).set(write.set).where("id", "=", write.id);
      const guarded = from === "any" ? row : row.where("state", "in", from);
      return (await guarded.where("repo", "=", repo).executeTakeFirst()).numUpdatedRows;
    }
    case "delete": {
      const row = trx.deleteFrom(write.table).where("id", "=", write.id);
      return (await row.where("repo", "=", repo).executeTakeFirst()).numDeletedRows;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "store-conflict";
}

function conflict(what: string, reason: string, cause?: unknown): AppError {
  return new AppError("store-conflict", `cannot record ${what}: ${reason}`, { cause });
}

import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";

type Db = Kysely<unknown>;

const OPEN = ["queued", "verifying", "verified", "landing"];

/** Batches: entries land together, an entry may have no pull request, and the train remembers what it learned. */
export const trains: Migration = {
  async up(db: Db): Promise<void> {
    await rebuildEntries(db);
    await createTrains(db);
    await createVerdicts(db);
  },
};

/** Rebuilt rather than altered: SQLite cannot make a column nullable. */
async function rebuildEntries(db: Db): Promise<void> {
  for (const index of ["one_at_a_time_per_base", "one_open_per_pull", "by_state", "by_task"]) {
    await db.schema.dropIndex(`entries_${index}`).execute();
  }
  await db.schema.alterTable("entries").renameTo("entries_before").execute();
  await createEntries(db);
  const kept = sql.raw(
    "id, repo, base, task, pull, head, approved_by, reason, landed_sha, enqueued_at, changed_at",
  );
  // Evidence of before has no steps: what was in the middle is verified again. A landing is settled by reading the base.
  await sql`insert into entries (${kept}, state)
    select ${kept}, case when state in ('verifying', 'verified', 'landing') then 'queued' else state end
    from entries_before`.execute(db);
  await sql`delete from intents where kind = 'land'`.execute(db);
  await db.schema.dropTable("entries_before").execute();
}

async function createEntries(db: Db): Promise<void> {
  await db.schema
    .createTable("entries")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("base", "text", (c) => c.notNull())
    .addColumn("task", "text", (c) => c.notNull().references("tasks.id"))
    .addColumn("pull", "integer")
    .addColumn("head", "text", (c) => c.notNull())
    .addColumn("approved_by", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("batch", "text")
    .addColumn("place", "integer")
    .addColumn("candidate", "text")
    .addColumn("evidence", "text")
    .addColumn("not_before", "bigint")
    .addColumn("landed_sha", "text")
    .addColumn("enqueued_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  await indexEntries(db);
}

async function indexEntries(db: Db): Promise<void> {
  // Every landing batch has a first place: two batches cannot land at the same time.
  await db.schema
    .createIndex("entries_one_landing_batch_per_base")
    .on("entries")
    .columns(["repo", "base", "place"])
    .unique()
    .where(sql.ref("state"), "=", "landing")
    .execute();
  await db.schema
    .createIndex("entries_one_open_per_pull")
    .on("entries")
    .columns(["repo", "pull"])
    .unique()
    .where(sql.ref("state"), "in", OPEN)
    .execute();
  await db.schema
    .createIndex("entries_by_state")
    .on("entries")
    .columns(["repo", "state"])
    .execute();
  await db.schema.createIndex("entries_by_task").on("entries").column("task").execute();
}

async function createTrains(db: Db): Promise<void> {
  await db.schema
    .createTable("trains")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("base", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("by", "text")
    .addColumn("cause", "text")
    .addColumn("halted_at", "text")
    .addColumn("size", "integer", (c) => c.notNull())
    .addColumn("suspects", "text", (c) => c.notNull())
    .addColumn("verdicts", "text", (c) => c.notNull())
    .addColumn("reds_from", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("trains_by_repo").on("trains").column("repo").execute();
}

async function createVerdicts(db: Db): Promise<void> {
  await db.schema
    .createTable("verdicts")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("tree", "text", (c) => c.notNull())
    .addColumn("command_hash", "text", (c) => c.notNull())
    .addColumn("command", "text", (c) => c.notNull())
    .addColumn("verdict", "text", (c) => c.notNull())
    .addColumn("tail", "text", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("verdicts_by_tree")
    .on("verdicts")
    .columns(["repo", "tree", "command_hash"])
    .execute();
}

import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";

type Db = Kysely<unknown>;

/** Times are milliseconds in `bigint`, ids and JSON are text: the same statements on every engine. */
export const firstTables: Migration = {
  async up(db: Db): Promise<void> {
    await createSignals(db);
    await createTasks(db);
    await createRuns(db);
    await createEntries(db);
    await createIntents(db);
    await createPublications(db);
    await createEvents(db);
  },
};

async function createSignals(db: Db): Promise<void> {
  await db.schema
    .createTable("signals")
    .addColumn("delivery_id", "text", (c) => c.primaryKey().notNull())
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("action", "text")
    .addColumn("owner", "text", (c) => c.notNull())
    .addColumn("repo", "text")
    .addColumn("received_at", "bigint", (c) => c.notNull())
    .addColumn("seen_at", "bigint")
    .execute();
  await db.schema
    .createIndex("signals_unseen")
    .on("signals")
    .columns(["received_at", "delivery_id"])
    .where(sql.ref("seen_at"), "is", null)
    .execute();
}

async function createTasks(db: Db): Promise<void> {
  await db.schema
    .createTable("tasks")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("issue", "integer", (c) => c.notNull())
    .addColumn("card_id", "text", (c) => c.notNull())
    .addColumn("spec", "text", (c) => c.notNull())
    .addColumn("spec_hash", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("wave", "integer")
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("not_before", "bigint")
    .addColumn("branch", "text")
    .addColumn("pull", "integer")
    .addColumn("landed_sha", "text")
    .addColumn("ready_since", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("tasks_by_state")
    .on("tasks")
    .columns(["repo", "state", "changed_at"])
    .execute();
}

async function createRuns(db: Db): Promise<void> {
  await db.schema
    .createTable("runs")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("task", "text", (c) => c.notNull().references("tasks.id"))
    .addColumn("spec_hash", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("runner", "text", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("workspace", "text")
    .addColumn("base_sha", "text")
    .addColumn("log_path", "text")
    .addColumn("queued_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("heartbeat_at", "bigint")
    .addColumn("outcome", "text")
    .addColumn("outcome_kind", "text")
    .addUniqueConstraint("runs_attempt", ["task", "spec_hash", "attempt"])
    .execute();
  await db.schema
    .createIndex("runs_one_running_per_task")
    .on("runs")
    .column("task")
    .unique()
    .where(sql.ref("state"), "=", "running")
    .execute();
  await db.schema.createIndex("runs_by_state").on("runs").columns(["repo", "state"]).execute();
  await db.schema
    .createIndex("runs_by_outcome")
    .on("runs")
    .columns(["repo", "outcome_kind", "finished_at"])
    .execute();
}

async function createEntries(db: Db): Promise<void> {
  await db.schema
    .createTable("entries")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("base", "text", (c) => c.notNull())
    .addColumn("task", "text", (c) => c.notNull().references("tasks.id"))
    .addColumn("pull", "integer", (c) => c.notNull())
    .addColumn("head", "text", (c) => c.notNull())
    .addColumn("approved_by", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("evidence", "text")
    .addColumn("landed_sha", "text")
    .addColumn("enqueued_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("entries_one_at_a_time_per_base")
    .on("entries")
    .columns(["repo", "base"])
    .unique()
    .where(sql.ref("state"), "in", ["verifying", "landing"])
    .execute();
  await db.schema
    .createIndex("entries_one_open_per_pull")
    .on("entries")
    .columns(["repo", "pull"])
    .unique()
    .where(sql.ref("state"), "in", ["queued", "verifying", "verified", "landing"])
    .execute();
  await db.schema
    .createIndex("entries_by_state")
    .on("entries")
    .columns(["repo", "state"])
    .execute();
  await db.schema.createIndex("entries_by_task").on("entries").column("task").execute();
}

async function createIntents(db: Db): Promise<void> {
  await db.schema
    .createTable("intents")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("detail", "text", (c) => c.notNull())
    .addColumn("opened_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("intents_by_repo").on("intents").column("repo").execute();
}

async function createPublications(db: Db): Promise<void> {
  await db.schema
    .createTable("publications")
    .addColumn("key", "text", (c) => c.primaryKey().notNull())
    .addColumn("remote_id", "text", (c) => c.notNull())
    .addColumn("digest", "text", (c) => c.notNull())
    .execute();
}

async function createEvents(db: Db): Promise<void> {
  await db.schema
    .createTable("events")
    .addColumn("seq", "bigint", (c) => c.primaryKey().notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("change", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .execute();
}

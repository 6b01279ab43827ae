import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";

type Db = Kysely<unknown>;

/** Times are milliseconds in `bigint`, and ids and JSON are text, so that the same statements work on every engine. */
export const firstSchema: Migration = {
  async up(db: Db): Promise<void> {
    await createSignals(db);
    await createTasks(db);
    await createRuns(db);
    await indexRuns(db);
    await createClaims(db);
    await createExplorations(db);
    await createEntries(db);
    await indexEntries(db);
    await createTrains(db);
    await createVerdicts(db);
    await createRunnerLifts(db);
    await createCommands(db);
    await createIntents(db);
    await createPublications(db);
    await createLeases(db);
    await createEvents(db);
  },
};

/** `subject` and `actor` say where a person spoke, and who. */
async function createSignals(db: Db): Promise<void> {
  await db.schema
    .createTable("signals")
    .addColumn("delivery_id", "text", (c) => c.primaryKey().notNull())
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("action", "text")
    .addColumn("owner", "text", (c) => c.notNull())
    .addColumn("repo", "text")
    .addColumn("subject", "text")
    .addColumn("actor", "text")
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
    .addColumn("accepted_by", "text")
    .addColumn("accepted_text", "text")
    .addColumn("accepted_at", "bigint")
    .addColumn("disregarded", "text")
    .addColumn("strayed_at", "bigint")
    .addColumn("rework", "text")
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
    .addColumn("contender", "integer", (c) => c.notNull())
    .addColumn("retry", "integer", (c) => c.notNull())
    .addColumn("runner", "text", (c) => c.notNull())
    .addColumn("host", "text")
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("workspace", "text")
    .addColumn("base_sha", "text")
    .addColumn("log_path", "text")
    .addColumn("queued_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("agent_ended_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("heartbeat_at", "bigint")
    .addColumn("outcome", "text")
    .addColumn("outcome_kind", "text")
    .addColumn("usage", "text")
    .addColumn("session", "text")
    .addColumn("rework", "text")
    .addColumn("definition", "text")
    .addUniqueConstraint("runs_attempt", ["task", "spec_hash", "attempt", "contender", "retry"])
    .execute();
}

async function indexRuns(db: Db): Promise<void> {
  await db.schema
    .createIndex("runs_one_running_per_contender")
    .on("runs")
    .columns(["task", "contender"])
    .unique()
    .where(sql.ref("state"), "=", "running")
    .execute();
  await db.schema.createIndex("runs_by_state").on("runs").columns(["repo", "state"]).execute();
  await db.schema
    .createIndex("runs_by_outcome")
    .on("runs")
    .columns(["repo", "outcome_kind", "finished_at"])
    .execute();
  // Pauses, breakers and budgets look at the last day of every repository.
  await db.schema.createIndex("runs_by_end").on("runs").column("finished_at").execute();
  // A runner without a login waits for a person, however long that takes.
  await db.schema
    .createIndex("runs_not_logged_in")
    .on("runs")
    .column("finished_at")
    .where(sql.ref("outcome_kind"), "=", "not-logged-in")
    .execute();
}

async function createClaims(db: Db): Promise<void> {
  await db.schema
    .createTable("claims")
    .addColumn("id", "text", (c) => c.primaryKey().notNull().references("tasks.id"))
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("run", "text", (c) => c.notNull().unique().references("runs.id"))
    .addColumn("claims", "text", (c) => c.notNull())
    .addColumn("fence", "bigint", (c) => c.notNull())
    .addColumn("taken_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("claims_fence", ["repo", "fence"])
    .execute();
  await db.schema
    .createTable("fences")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("fence", "bigint", (c) => c.notNull())
    .execute();
}

/** An attempt at a task explores once, so its key keeps two servers from opening it twice. */
async function createExplorations(db: Db): Promise<void> {
  await db.schema
    .createTable("explorations")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("task", "text", (c) => c.notNull().references("tasks.id"))
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("spec_hash", "text", (c) => c.notNull())
    .addColumn("runner", "text", (c) => c.notNull())
    .addColumn("base", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("plan", "text", (c) => c.notNull())
    .addColumn("levels", "text", (c) => c.notNull())
    .addColumn("stop", "text")
    .addColumn("end", "text")
    .addColumn("opened_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("explorations_by_task")
    .on("explorations")
    .columns(["repo", "task"])
    .execute();
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
    .addColumn("refused_under", "text")
    .addColumn("landed_sha", "text")
    .addColumn("enqueued_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
}

async function indexEntries(db: Db): Promise<void> {
  // Every landing batch has an entry in first place, so this index keeps two batches from landing at the same time.
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
    .where(sql.ref("state"), "in", ["queued", "verifying", "verified", "landing"])
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
    .addColumn("tail", "text")
    .addColumn("log_path", "text")
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
    .addColumn("log_path", "text")
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("verdicts_by_tree")
    .on("verdicts")
    .columns(["repo", "tree", "command_hash"])
    .execute();
}

async function createRunnerLifts(db: Db): Promise<void> {
  await db.schema
    .createTable("runner_lifts")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("runner", "text", (c) => c.notNull())
    .addColumn("by", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("runner_lifts_by_runner")
    .on("runner_lifts")
    .columns(["runner", "at"])
    .execute();
}

async function createCommands(db: Db): Promise<void> {
  await db.schema
    .createTable("commands")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("issue", "integer")
    .addColumn("given_by", "text", (c) => c.notNull())
    .addColumn("said", "text", (c) => c.notNull())
    .addColumn("detail", "text", (c) => c.notNull())
    .addColumn("result", "text", (c) => c.notNull())
    .addColumn("answer", "text", (c) => c.notNull())
    .addColumn("effects", "text", (c) => c.notNull())
    .addColumn("comment", "text")
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("done_at", "bigint")
    .execute();
  await db.schema
    .createIndex("commands_due")
    .on("commands")
    .columns(["repo", "at"])
    .where(sql.ref("done_at"), "is", null)
    .execute();
  for (const [name, column] of [
    ["commands_by_issue", "issue"],
    ["commands_by_word", "said"],
  ] as const)
    await db.schema.createIndex(name).on("commands").columns(["repo", column, "at"]).execute();
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
  await db.schema.createIndex("intents_by_subject").on("intents").column("subject").execute();
}

async function createPublications(db: Db): Promise<void> {
  await db.schema
    .createTable("publications")
    .addColumn("key", "text", (c) => c.primaryKey().notNull())
    .addColumn("remote_id", "text", (c) => c.notNull())
    .addColumn("digest", "text", (c) => c.notNull())
    .execute();
}

async function createLeases(db: Db): Promise<void> {
  await db.schema
    .createTable("leases")
    .addColumn("name", "text", (c) => c.primaryKey().notNull())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("fence", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
}

async function createEvents(db: Db): Promise<void> {
  await db.schema
    .createTable("events")
    .addColumn("seq", "bigint", (c) => c.primaryKey().notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("task", "text")
    .addColumn("change", "text", (c) => c.notNull())
    .addColumn("folded_from", "bigint")
    .addColumn("hash", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("events_by_task")
    .on("events")
    .columns(["task", "at"])
    .where(sql.ref("task"), "is not", null)
    .execute();
  await db.schema
    .createIndex("events_folded")
    .on("events")
    .column("folded_from")
    .unique()
    .where(sql.ref("folded_from"), "is not", null)
    .execute();
}

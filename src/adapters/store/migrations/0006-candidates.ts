import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";

type Db = Kysely<unknown>;

const RUN_COLUMNS = sql.raw(
  "id, repo, task, spec_hash, attempt, runner, branch, state, workspace, base_sha, log_path, queued_at, started_at, finished_at, heartbeat_at, outcome, outcome_kind, usage, session",
);
const CLAIM_COLUMNS = sql.raw("id, repo, run, claims, fence, taken_at");

/**
 * An attempt may have several runs. SQLite cannot change the constraint that forbids it, so the table is made anew; claims refer to
 * runs and are taken out of the way meanwhile.
 */
export const candidates: Migration = {
  async up(db: Db): Promise<void> {
    await sql`create table claims_before as select * from claims`.execute(db);
    await db.schema.dropTable("claims").execute();
    await sql`create table runs_before as select * from runs`.execute(db);
    await db.schema.dropTable("runs").execute();
    await createRuns(db);
    await indexRuns(db);
    await sql`insert into runs (${RUN_COLUMNS}, candidate) select ${RUN_COLUMNS}, 1 from runs_before`.execute(
      db,
    );
    await db.schema.dropTable("runs_before").execute();
    await createClaims(db);
    await sql`insert into claims (${CLAIM_COLUMNS}) select ${CLAIM_COLUMNS} from claims_before`.execute(
      db,
    );
    await db.schema.dropTable("claims_before").execute();
  },
};

async function createRuns(db: Db): Promise<void> {
  await db.schema
    .createTable("runs")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("task", "text", (c) => c.notNull().references("tasks.id"))
    .addColumn("spec_hash", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("candidate", "integer", (c) => c.notNull())
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
    .addColumn("usage", "text")
    .addColumn("session", "text")
    .addColumn("rework", "text")
    .addUniqueConstraint("runs_attempt", ["task", "spec_hash", "attempt", "candidate"])
    .execute();
}

async function indexRuns(db: Db): Promise<void> {
  await db.schema
    .createIndex("runs_one_running_per_candidate")
    .on("runs")
    .columns(["task", "candidate"])
    .unique()
    .where(sql.ref("state"), "=", "running")
    .execute();
  await db.schema.createIndex("runs_by_state").on("runs").columns(["repo", "state"]).execute();
  await db.schema
    .createIndex("runs_by_outcome")
    .on("runs")
    .columns(["repo", "outcome_kind", "finished_at"])
    .execute();
  await db.schema.createIndex("runs_by_end").on("runs").column("finished_at").execute();
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
}

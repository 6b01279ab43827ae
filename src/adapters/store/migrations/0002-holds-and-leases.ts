import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";
import type { ClaimHold } from "../../../domain/claim-hold.ts";
import { claimRow } from "../claim-row.ts";
import { eventRow } from "../event-row.ts";
import { lastLink } from "../log-end.ts";
import type { Tables } from "../tables.ts";
import type { TaskSpec } from "../../../domain/task.ts";

type Db = Kysely<unknown>;

/** Claims become rows of their own, and what was at work before takes its claims as if it started now. */
export const holdsAndLeases: Migration = {
  async up(db: Db): Promise<void> {
    await createClaims(db);
    await createLeases(db);
    await tellEventsApart(db);
    await takeClaims(db);
  },
};

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

async function createLeases(db: Db): Promise<void> {
  await db.schema
    .createTable("leases")
    .addColumn("name", "text", (c) => c.primaryKey().notNull())
    .addColumn("holder", "text", (c) => c.notNull())
    .addColumn("fence", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
}

async function tellEventsApart(db: Db): Promise<void> {
  await db.schema.alterTable("events").addColumn("task", "text").execute();
  await db.schema.alterTable("events").addColumn("folded_from", "bigint").execute();
  await sql`update events set task = coalesce(
    (select id from tasks where tasks.id = events.subject),
    (select task from runs where runs.id = events.subject),
    (select task from entries where entries.id = events.subject)
  )`.execute(db);
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
  await db.schema.createIndex("intents_by_subject").on("intents").column("subject").execute();
}

/** A task at work without any run has nobody who could hold its claims; it is planned by what it declares, as before. */
async function takeClaims(db: Kysely<Tables>): Promise<void> {
  const atWork = await db
    .selectFrom("tasks")
    .innerJoin("runs", "runs.task", "tasks.id")
    .select(["tasks.id", "tasks.repo", "tasks.spec", "runs.id as run", "runs.queuedAt"])
    .where("tasks.state", "in", ["running", "review", "queued"])
    .orderBy("tasks.repo")
    .orderBy("runs.queuedAt")
    .orderBy("runs.attempt")
    .execute();
  const latest = new Map(atWork.map((row) => [row.id, row]));
  const fences = new Map<string, number>();
  for (const { id, repo, spec, run, queuedAt } of latest.values()) {
    const fence = (fences.get(repo) ?? 0) + 1;
    fences.set(repo, fence);
    const { claims } = JSON.parse(spec) as TaskSpec;
    const hold: ClaimHold = { task: id, run, claims, fence, takenAt: queuedAt };
    await db.insertInto("claims").values(claimRow(repo, hold)).execute();
    const change = { kind: "claims-taken", hold } as const;
    const event = eventRow(await lastLink(db), { at: queuedAt, repo, subject: id, change });
    await db
      .insertInto("events")
      .values({ ...event, task: id })
      .execute();
    if (fence === 1) await db.insertInto("fences").values({ id: repo, fence }).execute();
    else await db.updateTable("fences").set({ fence }).where("id", "=", repo).execute();
  }
}

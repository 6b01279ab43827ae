import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";

/** Signals say where a person spoke; commands are what they said and what was decided about it. */
export const commands: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of ["subject", "actor"]) {
      await db.schema.alterTable("signals").addColumn(column, "text").execute();
    }
    await createCommands(db);
  },
};

async function createCommands(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("commands")
    .addColumn("id", "text", (c) => c.primaryKey().notNull())
    .addColumn("repo", "text", (c) => c.notNull())
    .addColumn("issue", "integer")
    .addColumn("given_by", "text", (c) => c.notNull())
    .addColumn("said", "text", (c) => c.notNull())
    .addColumn("detail", "text", (c) => c.notNull())
    .addColumn("verdict", "text", (c) => c.notNull())
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
  await db.schema
    .createIndex("commands_by_issue")
    .on("commands")
    .columns(["repo", "issue", "at"])
    .execute();
  await db.schema
    .createIndex("commands_by_word")
    .on("commands")
    .columns(["repo", "said", "at"])
    .execute();
}

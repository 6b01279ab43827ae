import type { Kysely, Migration } from "kysely";

/** Who accepted which text of a task, and what was done to it without the right to that. */
export const taskTrust: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of ["accepted_by", "accepted_text", "disregarded"])
      await db.schema.alterTable("tasks").addColumn(column, "text").execute();
    for (const column of ["accepted_at", "strayed_at"])
      await db.schema.alterTable("tasks").addColumn(column, "bigint").execute();
  },
};

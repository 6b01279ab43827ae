import type { Kysely, Migration } from "kysely";

/** What a run cost, and the name under which its runner keeps the conversation. */
export const runUsage: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of ["usage", "session"]) {
      await db.schema.alterTable("runs").addColumn(column, "text").execute();
    }
  },
};

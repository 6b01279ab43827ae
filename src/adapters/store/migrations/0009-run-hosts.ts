import type { Kysely, Migration } from "kysely";

/** Which server works on a run. */
export const runHosts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("runs").addColumn("host", "text").execute();
  },
};

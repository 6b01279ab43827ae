import type { Kysely, Migration } from "kysely";

/** Pauses, breakers and budgets look at the last day of every repository. */
export const runsByEnd: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createIndex("runs_by_end").on("runs").column("finished_at").execute();
  },
};

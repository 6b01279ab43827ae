import type { Kysely, Migration } from "kysely";

/** When a run's agent ended and gave its slot back. */
export const agentEnds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("runs").addColumn("agent_ended_at", "bigint").execute();
  },
};

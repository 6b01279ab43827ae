import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";

/** A repository has one name at a time, and a name belongs to one repository at a time. Former names stay. */
export const repoNames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("repo_names")
      .addColumn("id", "bigint", (c) => c.notNull())
      .addColumn("repo", "text", (c) => c.notNull())
      .addColumn("until", "bigint")
      .execute();
    for (const column of ["id", "repo"])
      await db.schema
        .createIndex(`repo_names_now_by_${column}`)
        .on("repo_names")
        .column(column)
        .unique()
        .where(sql.ref("until"), "is", null)
        .execute();
  },
};

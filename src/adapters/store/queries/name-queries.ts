import type { Kysely } from "kysely";
import type { RepoName } from "../../../domain/ids.ts";
import type { RepoNaming } from "../../../domain/ids.ts";
import { membersOf } from "../rows/columns.ts";
import type { Tables } from "../rows/tables.ts";

export async function repoNames(db: Kysely<Tables>): Promise<readonly RepoNaming[]> {
  const rows = db.selectFrom("repoNames").selectAll().orderBy("id").orderBy("until");
  return (await rows.execute()).map((row) => membersOf<RepoNaming>(row));
}

/** Whoever comes second changes nothing. */
export async function nameRepo(
  db: Kysely<Tables>,
  { id, repo }: Pick<RepoNaming, "id" | "repo">,
): Promise<void> {
  const row = db.insertInto("repoNames").values({ id, repo, until: null });
  await row.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Tells whether a repository had this name and none has it now: what is written under it would be found by nobody. */
export async function isFormerName(db: Kysely<Tables>, repo: RepoName): Promise<boolean> {
  const rows = await db.selectFrom("repoNames").select("until").where("repo", "=", repo).execute();
  return rows.length > 0 && rows.every(({ until }) => until !== null);
}

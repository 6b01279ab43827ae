import type { Kysely } from "kysely";
import type { GivenCommand, RepoPause } from "../../../domain/given-command.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { commandFromRow } from "../rows/intake-rows.ts";
import { slices } from "../rows/tables.ts";
import type { Tables } from "../rows/tables.ts";

export async function command(db: Kysely<Tables>, id: string): Promise<GivenCommand | undefined> {
  const row = await db.selectFrom("commands").selectAll().where("id", "=", id).executeTakeFirst();
  return row && commandFromRow(row);
}

export async function pendingCommands(
  db: Kysely<Tables>,
  repo: RepoName,
): Promise<readonly GivenCommand[]> {
  const due = db.selectFrom("commands").selectAll().where("repo", "=", repo);
  const rows = await due.where("doneAt", "is", null).orderBy("at").orderBy("id").execute();
  return rows.map(commandFromRow);
}

export async function answersOn(
  db: Kysely<Tables>,
  repo: RepoName,
  issues: readonly number[],
): Promise<readonly GivenCommand[]> {
  const found: GivenCommand[] = [];
  for (const some of slices(issues)) {
    const given = db.selectFrom("commands").selectAll().where("repo", "=", repo);
    const rows = given.where("issue", "in", some).orderBy("at").orderBy("id");
    found.push(...(await rows.execute()).map(commandFromRow));
  }
  return found;
}

/** The pause is derived from the commands: the last `pause` or `resume` counts. */
export async function pauseOf(db: Kysely<Tables>, repo: RepoName): Promise<RepoPause | undefined> {
  const given = db.selectFrom("commands").selectAll().where("repo", "=", repo);
  const done = given.where("result", "=", "done").where("said", "in", ["pause", "resume"]);
  const last = await done.orderBy("at", "desc").orderBy("id", "desc").limit(1).executeTakeFirst();
  if (last?.said !== "pause") return undefined;
  return { by: last.givenBy, reason: last.detail, since: last.at };
}

import { sql } from "kysely";
import type { Expression, Transaction } from "kysely";
import { ownerOf } from "../../../domain/ids.ts";
import type { TaskId } from "../../../domain/ids.ts";
import type { RepoRenamed } from "../../../domain/change.ts";
import { NAME_PARTS, renamedKey, renamedSpec } from "./renamed-rows.ts";
import type { NamePart } from "./renamed-rows.ts";
import type { Tables } from "./tables.ts";

/** The tasks come first, because other rows refer to them. */
const MOVED = [
  "runs",
  "claims",
  "explorations",
  "entries",
  "intents",
  "trains",
  "verdicts",
] as const;
const ALSO_MOVED = ["runnerLifts", "fences", "commands"] as const;

type Trx = Transaction<Tables>;
type AnyTables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Moves all rows of the repository to its new name. It returns false when the repository is not called so any more, because someone
 * else has moved it.
 */
export async function moveRepo(trx: Trx, renamed: RepoRenamed): Promise<boolean> {
  const { id, from, to, at } = renamed;
  const ended = trx.updateTable("repoNames").set({ until: at }).where("id", "=", id);
  const now = ended.where("repo", "=", from).where("until", "is", null);
  if ((await now.executeTakeFirst()).numUpdatedRows !== 1n) return false;
  await trx.insertInto("repoNames").values({ id, repo: to, until: null }).execute();
  await copyTasks(trx, renamed);
  for (const table of [...MOVED, ...ALSO_MOVED]) await rename(trx, table, renamed);
  await trx.deleteFrom("tasks").where("repo", "=", from).execute();
  await renameSpecs(trx, renamed);
  await renameKeys(trx, renamed);
  const tasks = sql<TaskId>`${to} || ${afterName("task", renamed)}`;
  await trx.updateTable("events").set({ task: tasks }).where(begins("task", renamed)).execute();
  const unseen = trx.updateTable("signals").set({ repo: to, owner: ownerOf(to) });
  await unseen.where("repo", "=", from).where("seenAt", "is", null).execute();
  return true;
}

/** Other rows refer to a task by its id, so there are both for a moment. */
async function copyTasks(trx: Trx, renamed: RepoRenamed): Promise<void> {
  const names = Object.keys(NAME_PARTS.tasks);
  const columns = names.map((name) => sql`${renamedColumn("tasks", name, renamed)}`);
  const into = names.map((name) => sql.ref(name));
  await sql`insert into ${sql.table("tasks")} (${sql.join(into)})
    select ${sql.join(columns)} from ${sql.table("tasks")}
    where ${sql.ref("repo")} = ${renamed.from}`.execute(trx);
}

async function rename(
  trx: Trx,
  table: (typeof MOVED)[number] | (typeof ALSO_MOVED)[number],
  renamed: RepoRenamed,
): Promise<void> {
  const parts: Readonly<Record<string, NamePart>> = NAME_PARTS[table];
  const names = Object.keys(parts).filter((name) => parts[name] === "repo" || parts[name] === "id");
  const set = Object.fromEntries(names.map((name) => [name, renamedColumn(table, name, renamed)]));
  const own = table === "fences" ? "id" : "repo";
  const rows = (trx as unknown as Transaction<AnyTables>).updateTable(table).set(set);
  await rows.where(own, "=", renamed.from).execute();
}

function renamedColumn(
  table: keyof Tables,
  name: string,
  renamed: RepoRenamed,
): Expression<unknown> {
  const parts: Readonly<Record<string, NamePart>> = NAME_PARTS[table];
  const { to } = renamed;
  if (parts[name] === "repo") return sql`${sql.val(to)}`;
  if (parts[name] !== "id") return sql.ref(name);
  return sql`case when ${begins(name, renamed)} then ${to} || ${afterName(name, renamed)} else ${sql.ref(name)} end`;
}

/** It holds for the same ids that `renamedId` renames. A parameter has no type of its own in every place. */
function begins(column: string, { from }: RepoRenamed): Expression<boolean> {
  const length = sql.lit(from.length);
  const mark = sql`substr(${sql.ref(column)}, ${sql.lit(from.length + 1)}, 1)`;
  return sql<boolean>`(substr(${sql.ref(column)}, 1, ${length}) = ${from} and ${mark} in ('', '#', '@', ':'))`;
}

function afterName(column: string, { from }: RepoRenamed): Expression<string> {
  return sql<string>`substr(${sql.ref(column)}, ${sql.lit(from.length + 1)})`;
}

async function renameSpecs(trx: Trx, renamed: RepoRenamed): Promise<void> {
  const { from, to } = renamed;
  const ofRepo = trx.selectFrom("tasks").select(["id", "spec", "specHash"]).where("repo", "=", to);
  const naming = ofRepo.where(sql<boolean>`spec like ${`%"${escaped(from)}#%`} escape '!'`);
  for (const row of await naming.execute()) {
    const fresh = renamedSpec(row, renamed);
    await trx.updateTable("tasks").set(fresh).where("id", "=", row.id).execute();
    const runs = trx.updateTable("runs").set({ specHash: fresh.specHash });
    await runs.where("task", "=", row.id).where("specHash", "=", row.specHash).execute();
    const explored = trx.updateTable("explorations").set({ specHash: fresh.specHash });
    await explored.where("task", "=", row.id).where("specHash", "=", row.specHash).execute();
  }
}

async function renameKeys(trx: Trx, renamed: RepoRenamed): Promise<void> {
  const pattern = `%:${escaped(renamed.from)}%`;
  const intents = trx.selectFrom("intents").select("id").where("repo", "=", renamed.to);
  for (const { id } of await intents.execute()) {
    const fresh = { id: renamedKey(id, renamed) };
    await trx.updateTable("intents").set(fresh).where("id", "=", id).execute();
  }
  const known = trx.selectFrom("publications").select("key");
  for (const { key } of await known.where(sql<boolean>`key like ${pattern} escape '!'`).execute()) {
    const fresh = { key: renamedKey(key, renamed) };
    if (fresh.key === key) continue;
    // A publication under the new name from before the renaming was known says less.
    await trx.deleteFrom("publications").where("key", "=", fresh.key).execute();
    await trx.updateTable("publications").set(fresh).where("key", "=", key).execute();
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[!%_]/g, "!$&");
}

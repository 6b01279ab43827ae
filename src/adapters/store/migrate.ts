import { Migrator } from "kysely";
import type { Kysely, Migration } from "kysely";
import { AppError } from "../../shared/app-error.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { holdsAndLeases } from "./migrations/0002-holds-and-leases.ts";
import { runUsage } from "./migrations/0003-run-usage.ts";
import { trains } from "./migrations/0004-trains.ts";
import { runsByEnd } from "./migrations/0005-runs-by-end.ts";
import { candidates } from "./migrations/0006-candidates.ts";
import { commands } from "./migrations/0007-commands.ts";
import { runHosts } from "./migrations/0009-run-hosts.ts";
import { agentEnds } from "./migrations/0010-agent-ends.ts";
import { taskTrust } from "./migrations/0011-task-trust.ts";

/** In order of their names; a migration that was released is never changed, and there is no way back. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-first-tables": firstTables,
  "0002-holds-and-leases": holdsAndLeases,
  "0003-run-usage": runUsage,
  "0004-trains": trains,
  "0005-runs-by-end": runsByEnd,
  "0006-candidates": candidates,
  "0007-commands": commands,
  "0009-run-hosts": runHosts,
  "0010-agent-ends": agentEnds,
  "0011-task-trust": taskTrust,
};

/** Brings the schema to the newest of `migrations` in one transaction; refuses a schema that is newer than that. */
export async function migrate<T>(
  db: Kysely<T>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  await refuseNewerSchema(db, migrations);
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error instanceof AppError) throw error;
  if (error !== undefined) {
    throw new AppError("store-unusable", "cannot bring the store to this version's schema", {
      cause: error,
    });
  }
}

interface MigrationTable {
  readonly kysely_migration: { readonly name: string };
}

export async function refuseNewerSchema<T>(
  db: Kysely<T>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === "kysely_migration")) return;
  const done = (db as unknown as Kysely<MigrationTable>).selectFrom("kysely_migration");
  const names = (await done.select("name").execute()).map((row) => row.name);
  const unknown = names.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  const why = `its schema has ${unknown}, which this version does not know`;
  throw new AppError("store-unusable", `the store was written by a newer version: ${why}`);
}

import { Migrator } from "kysely";
import type { Kysely, Migration } from "kysely";
import { AppError } from "../../../shared/app-error.ts";
import type { Engine } from "../rows/tables.ts";
import { firstSchema } from "./first-schema.ts";
import { repoNames } from "./repo-names.ts";

/** Migrations run in the order of their names. One that was released is never changed, and none can be undone. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-first-schema": firstSchema,
  "0002-repo-names": repoNames,
};

/** Brings the tables of the engine up to date and returns it; closes it when that fails. */
export async function upToDate(engine: Engine): Promise<Engine> {
  try {
    await migrate(engine.db);
    return engine;
  } catch (error) {
    // A damaged store may also fail to close, but the first error is the one to report.
    await engine.close().catch(() => undefined);
    throw error;
  }
}

/** Brings the schema to the newest of `migrations` in one transaction. It refuses a schema that is newer than that. */
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

interface MigrationTable {
  readonly kysely_migration: { readonly name: string };
}

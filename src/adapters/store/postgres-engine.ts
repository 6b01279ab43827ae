import { CamelCasePlugin, Kysely, sql } from "kysely";
import { AppError } from "../../shared/app-error.ts";
import type { Engine } from "./engine.ts";
import { postgresAddress } from "./postgres-address.ts";
import { PostgresEngineDialect } from "./postgres-dialect.ts";
import { createPool } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

const OLDEST_VERSION = 15;

/** A PostgreSQL database that any number of processes share. */
export async function openPostgresEngine(url: string): Promise<Engine> {
  const address = postgresAddress(url);
  const dialect = new PostgresEngineDialect(createPool(url), address);
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  try {
    await refuseUnfitServer(db, address);
    return { db, close: () => db.destroy() };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function refuseUnfitServer(db: Kysely<Tables>, address: string): Promise<void> {
  const { rows } = await sql<{ readonly version: number; readonly readOnly: string }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('transaction_read_only') as read_only`.execute(db);
  const unfit = rows.map(({ version, readOnly }) => {
    if (version < OLDEST_VERSION) {
      return `it is PostgreSQL ${version}; version ${OLDEST_VERSION} or newer is needed`;
    }
    return readOnly === "on" ? "it is read-only" : undefined;
  });
  const [reason] = unfit;
  if (reason === undefined) return;
  throw new AppError("store-unusable", `cannot use the store at ${address}: ${reason}`);
}

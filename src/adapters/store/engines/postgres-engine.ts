import { CamelCasePlugin, Kysely, sql } from "kysely";
import pg from "pg";
import { AppError } from "../../../shared/app-error.ts";
import type { Engine, Tables } from "../rows/tables.ts";
import { PostgresEngineDialect } from "./postgres-dialect.ts";

const OLDEST_VERSION = 15;

const TEN_SECONDS_MS = 10_000;
/**
 * A server that was stopped in mid-transaction would hold up all others. So its transaction and their waits end after the same
 * time.
 */
const MAX_WAIT_MS = 30_000;

/** With this setting an acknowledged write survives a crash of the server, even if the server's default is faster and less safe. */
const DURABLE = "-c synchronous_commit=on";

const CONNECTION = {
  application_name: "wavetrain",
  connectionTimeoutMillis: TEN_SECONDS_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: TEN_SECONDS_MS,
} as const;

/** Opens a PostgreSQL database that any number of processes can share. */
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

/** Makes a separate connection for work that must not wait for the others. */
export function createClient(url: string): pg.Client {
  return new pg.Client({ ...CONNECTION, connectionString: url });
}

/** Says where a database is, without its user and password: this text is safe for logs and messages. */
function postgresAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? (hostname || "localhost");
  return `postgres://${decodeURIComponent(host)}${port && `:${port}`}${pathname}`;
}

/** Its connections return 8-byte integers as numbers: times in milliseconds and sequence numbers stay below 2^53. */
function createPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    ...CONNECTION,
    connectionString: url,
    options: DURABLE,
    idle_in_transaction_session_timeout: MAX_WAIT_MS,
    lock_timeout: MAX_WAIT_MS,
    types,
  });
  // Without listeners the end of a connection would end the process. Whoever uses the connection gets the error from its query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
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

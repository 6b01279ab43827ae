import pg from "pg";

const TEN_SECONDS_MS = 10_000;
/** A server that was stopped in mid-transaction would hold up all others: theirs and its own waits end together. */
const LONGEST_WAIT_MS = 30_000;

const CONNECTION = {
  application_name: "wavetrain",
  connectionTimeoutMillis: TEN_SECONDS_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: TEN_SECONDS_MS,
} as const;

/** Connections that give 8-byte integers as numbers: times in milliseconds and sequence numbers stay below 2^53. */
export function createPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    ...CONNECTION,
    connectionString: url,
    options: DURABLE,
    idle_in_transaction_session_timeout: LONGEST_WAIT_MS,
    lock_timeout: LONGEST_WAIT_MS,
    types,
  });
  // Without listeners the end of a connection would end the process; whoever uses the connection is told by its query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** A connection of its own, for what must not wait for others. */
export function createClient(url: string): pg.Client {
  return new pg.Client({ ...CONNECTION, connectionString: url });
}

/** What is acknowledged survives a crash of the server, also where its default is to be faster. */
const DURABLE = "-c synchronous_commit=on";

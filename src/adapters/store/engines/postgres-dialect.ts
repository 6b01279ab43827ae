import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type {
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from "kysely";
import type pg from "pg";
import { leavesConnectionUsable, translatePostgresError } from "./postgres-error.ts";

/**
 * This can be any number that nothing else in the database locks. A writer holds the lock until its transaction ends: each event
 * is hashed over the one before it, so there is one writer at a time, and events become visible in the order of their numbers. The
 * lock is in the server's memory and not in a row: so it leaves no dead rows behind, and it ends with the connection of a killed
 * process.
 */
const WRITERS_LOCK = "7482936152004417";

/**
 * This is PostgreSQL, but its errors are in our words and its transactions lock at their beginning, as those of the embedded
 * engine do.
 */
export class PostgresEngineDialect implements Dialect {
  readonly #pool: pg.Pool;
  readonly #address: string;

  constructor(pool: pg.Pool, address: string) {
    this.#pool = pool;
    this.#address = address;
  }

  createDriver(): Driver {
    return new PostgresEngineDriver(this.#pool, this.#address);
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

class PostgresEngineDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #address: string;

  constructor(pool: pg.Pool, address: string) {
    this.#pool = pool;
    this.#address = address;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<PooledConnection> {
    try {
      return new PooledConnection(await this.#pool.connect(), this.#address);
    } catch (error) {
      throw translatePostgresError(error, this.#address);
    }
  }

  async beginTransaction(
    connection: PooledConnection,
    { accessMode, isolationLevel = "read committed" }: TransactionSettings,
  ): Promise<void> {
    const reads = accessMode === "read only";
    const mode = reads ? "read only" : "read write";
    await connection.run(`start transaction isolation level ${isolationLevel} ${mode}`);
    if (!reads) await connection.run(`select pg_advisory_xact_lock(${WRITERS_LOCK})`);
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.run("commit");
  }

  /**
   * An error of the rollback is not thrown, because the caller must hear why the transaction failed. If the connection cannot undo
   * it, the server does so when the connection ends.
   */
  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.run("rollback").catch(() => connection.discard());
  }

  releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #address: string;
  #usable = true;

  constructor(client: pg.PoolClient, address: string) {
    this.#client = client;
    this.#address = address;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const { command, rowCount, rows } = await this.#client.query(sql, [...parameters]);
      const writes = ["INSERT", "UPDATE", "DELETE"].includes(command);
      return { rows: rows as R[], ...(writes && { numAffectedRows: BigInt(rowCount ?? 0) }) };
    } catch (error) {
      if (!leavesConnectionUsable(error)) this.discard();
      throw translatePostgresError(error, this.#address);
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("the store reads whole results");
  }

  async run(statement: string): Promise<void> {
    await this.executeQuery(CompiledQuery.raw(statement));
  }

  discard(): void {
    this.#usable = false;
  }

  release(): void {
    this.#client.release(!this.#usable);
  }
}

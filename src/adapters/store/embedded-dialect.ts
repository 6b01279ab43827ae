import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type { DatabaseConnection, Driver, QueryResult } from "kysely";
import type Libsql from "libsql";
import { compilingOnce } from "./compiled-statements.ts";
import { translateEngineError } from "./engine-error.ts";

/** Kysely's SQLite dialect, with errors in our words and transactions that lock at their beginning. */
export class EmbeddedDialect extends SqliteDialect {
  readonly #database: Libsql.Database;

  constructor(database: Libsql.Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#database);
  }

  override createAdapter(): SqliteAdapter {
    return new EmbeddedAdapter();
  }
}

/** A migration that is cut off leaves nothing behind: SQLite does undo changes of the schema. */
class EmbeddedAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class EmbeddedDriver extends SqliteDriver {
  readonly #database: Libsql.Database;

  constructor(database: Libsql.Database) {
    super({ database: compilingOnce(database) });
    this.#database = database;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return translated(await super.acquireConnection());
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** After a full disk the engine has undone the transaction itself, and undoing it again would hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

function translated(connection: DatabaseConnection): DatabaseConnection {
  return {
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      try {
        return await connection.executeQuery<R>(query);
      } catch (error) {
        throw translateEngineError(error);
      }
    },
  };
}

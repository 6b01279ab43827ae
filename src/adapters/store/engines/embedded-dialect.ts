import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver } from "kysely";
import type {
  DatabaseConnection,
  Driver,
  QueryResult,
  SqliteDatabase,
  SqliteStatement,
} from "kysely";
import type Libsql from "libsql";
import { AppError } from "../../../shared/app-error.ts";

// This is more than the store has different queries. There must be a limit, because a list of ids makes another text for every
// length.
const MAX_COMPILED = 200;

/** This is Kysely's SQLite dialect, but its errors are in our words and its transactions lock at their beginning. */
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

/** Says in our words what the engine reports by code. An error without such a code stays as it is. */
export function translateEngineError(error: unknown): unknown {
  const code = engineCode(error);
  if (code === undefined) return error;
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    return new AppError("store-conflict", "the store's rules do not allow this row", {
      cause: error,
    });
  }
  const unusable = UNUSABLE.find(({ codes }) => codes.test(code));
  if (unusable === undefined) return error;
  return new AppError(unusable.code, unusable.message, {
    cause: error,
    retryable: unusable.retryable,
  });
}

const UNUSABLE = [
  {
    codes: /^SQLITE_FULL$/,
    code: "store-unusable",
    message: "cannot write the store: the disk is full",
    retryable: true,
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    code: "store-unusable",
    message: "cannot write the store: another program holds its file",
    retryable: true,
  },
  {
    codes: /^SQLITE_(NOTADB|CORRUPT)/,
    code: "store-damaged",
    message: "cannot read the store: its file is damaged or not a database",
    retryable: false,
  },
  {
    codes: /^SQLITE_(READONLY|CANTOPEN|PERM)/,
    code: "store-unusable",
    message: "cannot write the store: its file or folder is read-only",
    retryable: false,
  },
  {
    codes: /^SQLITE_IOERR/,
    code: "store-unusable",
    message: "cannot use the store: the disk reports an error",
    retryable: false,
  },
] as const;

function engineCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && error.code.startsWith("SQLITE_")
    ? error.code
    : undefined;
}

/** A migration that is cut off leaves nothing behind, because SQLite can undo changes of the schema. */
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

/** Returns the same database, but it compiles each statement only once: compiling costs more than most answers. */
export function compilingOnce(database: SqliteDatabase): SqliteDatabase {
  const compiled = new Map<string, SqliteStatement>();
  return {
    prepare: (sql) => {
      const statement = compiled.get(sql) ?? database.prepare(sql);
      // The statement that was used last moves to the end of the map.
      compiled.delete(sql);
      compiled.set(sql, statement);
      for (const oldest of compiled.keys()) {
        if (compiled.size <= MAX_COMPILED) break;
        compiled.delete(oldest);
      }
      return statement;
    },
    close: () => {
      compiled.clear();
      database.close();
    },
  };
}

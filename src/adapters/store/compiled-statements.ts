import type { SqliteDatabase, SqliteStatement } from "kysely";

// More than the store has questions. A list of ids makes another text for every length, so there is no end of them.
const MOST_KEPT = 200;

/** The same database, which compiles a statement once: compiling one costs more than most answers. */
export function compilingOnce(database: SqliteDatabase): SqliteDatabase {
  const compiled = new Map<string, SqliteStatement>();
  return {
    prepare: (sql) => {
      const statement = compiled.get(sql) ?? database.prepare(sql);
      // The one that was used last goes last.
      compiled.delete(sql);
      compiled.set(sql, statement);
      for (const oldest of compiled.keys()) {
        if (compiled.size <= MOST_KEPT) break;
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

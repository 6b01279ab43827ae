import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CamelCasePlugin, Kysely } from "kysely";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import Libsql from "libsql";
import { EmbeddedDialect } from "../../../src/adapters/store/engines/embedded-dialect.ts";
import type { Tables } from "../../../src/adapters/store/rows/tables.ts";
import { migrate } from "../../../src/adapters/store/schema/migrate.ts";
import { sqlStore } from "../../../src/adapters/store/sql-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { NOW } from "../../support/builders.ts";

/** What a dead process would have said. */
export class Crash extends Error {}

/** Lets so many statements pass; from then on nothing works any more, not even undoing. */
class Fuse {
  left = Infinity;
  /** Whether the last statement is carried out although its answer is lost. */
  late = false;

  async around<T>(statement: () => Promise<T>): Promise<T> {
    this.left -= 1;
    if (this.left > 0) return statement();
    if (this.left === 0 && this.late) await statement();
    throw new Crash();
  }
}

class CrashingDialect extends EmbeddedDialect {
  readonly #fuse: Fuse;

  constructor(database: Libsql.Database, fuse: Fuse) {
    super(database);
    this.#fuse = fuse;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => crashing(await acquire(), this.#fuse);
    return driver;
  }
}

function crashing(connection: DatabaseConnection, fuse: Fuse): DatabaseConnection {
  return {
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      fuse.around(() => connection.executeQuery<R>(query)),
  };
}

/** A store whose process dies at a statement of one's choice, and comes back on what is in its files. */
export class CrashingStore {
  readonly #folders: string[] = [];
  #database: Libsql.Database | undefined;
  #fuse = new Fuse();
  #store: Store | undefined;

  get store(): Store {
    if (this.#store === undefined) throw new Error("start the store first");
    return this.#store;
  }

  /** The first time empty, later on a copy of the files as they are now, with whatever transaction was open. */
  async start(): Promise<void> {
    const before = this.#folders.at(-1);
    const folder = await mkdtemp(join(tmpdir(), "wavetrain-crash-point-"));
    this.#folders.push(folder);
    if (before !== undefined) {
      const isKept = (path: string) => !path.endsWith("-shm");
      await cp(before, folder, { recursive: true, filter: isKept });
    }
    this.#database?.close();
    this.#database = new Libsql(join(folder, "wavetrain.db"));
    this.#database.pragma("journal_mode = WAL");
    // The machine stays up: what matters here is the order of writes, not when they reach the disk.
    this.#database.pragma("synchronous = OFF");
    this.#database.pragma("foreign_keys = ON");
    this.#fuse = new Fuse();
    const dialect = new CrashingDialect(this.#database, this.#fuse);
    const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
    await migrate(db);
    this.#store = sqlStore({ db, close: () => db.destroy() }, { now: () => NOW });
  }

  /** At the `nth` statement from now; `late` when that one is still carried out. */
  crashAt(nth: number, late: boolean): void {
    this.#fuse.left = nth;
    this.#fuse.late = late;
  }

  async remove(): Promise<void> {
    this.#database?.close();
    for (const folder of this.#folders) await rm(folder, { recursive: true });
  }
}

import { sql } from "kysely";
import type { Kysely } from "kysely";
import { instant } from "../../../domain/ids.ts";
import type { Instant } from "../../../domain/ids.ts";
import type { Tables } from "../rows/tables.ts";

/** Two clocks drift apart by less than a millisecond in this time, and a machine that slept is put right soon. */
const READ_EVERY_MS = 30_000;

/**
 * Tells the time of the database, which is the same for all servers on it. The time is read now and then; in between, a clock that
 * nobody can set counts on. The time of day on this machine plays no part.
 */
export class DatabaseClock {
  readonly #db: Kysely<Tables>;
  readonly #timer: NodeJS.Timeout;
  #ahead: number;

  private constructor(db: Kysely<Tables>, ahead: number) {
    this.#db = db;
    this.#ahead = ahead;
    this.#timer = setInterval(() => void this.#read(), READ_EVERY_MS);
    this.#timer.unref();
  }

  static async start(db: Kysely<Tables>): Promise<DatabaseClock> {
    return new DatabaseClock(db, await readAhead(db));
  }

  readonly now = (): Instant => instant(Math.round(performance.now() + this.#ahead));

  stop(): void {
    clearInterval(this.#timer);
  }

  /** If the database cannot be reached, it is asked again next time, and the count goes on until then. */
  async #read(): Promise<void> {
    this.#ahead = await readAhead(this.#db).catch(() => this.#ahead);
  }
}

/**
 * Measures how far the database's time is ahead of the time since this process began. We assume that the answer took half of the
 * wait to arrive.
 */
async function readAhead(db: Kysely<Tables>): Promise<number> {
  const asked = performance.now();
  const { rows } = await sql<{
    readonly now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the database does not tell the time");
  return row.now - (asked + performance.now()) / 2;
}

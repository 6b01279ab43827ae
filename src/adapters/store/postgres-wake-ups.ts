import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import type pg from "pg";
import { isRepoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { WakeListener, WakeUps } from "../../ports/wake-ups.ts";
import { createClient } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";
import { WakeListeners } from "./wake-listeners.ts";

const CHANNEL = "wavetrain";
/** No repository has an empty name. */
const EVERY = "";
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Wake-ups over LISTEN and NOTIFY. The connection that listens is made with the first listener, and again whenever it is lost. */
export class PostgresWakeUps implements WakeUps {
  readonly #db: Kysely<Tables>;
  readonly #url: string;
  readonly #listeners = new WakeListeners();
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(db: Kysely<Tables>, url: string) {
    this.#db = db;
    this.#url = url;
  }

  /** Not part of the transaction that has the news: the server commits those that notify one after another. */
  async notify(repo: RepoName | undefined): Promise<void> {
    await sql`select pg_notify(${CHANNEL}, ${repo ?? EVERY})`.execute(this.#db);
  }

  onWake(listener: WakeListener): () => void {
    this.#listening ??= this.#listen();
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      const heard = await this.#listenOnce();
      failures = heard ? 0 : failures + 1;
      const ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      await pause(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Anybody on the database may say anything here, also a newer version of the app: what is not understood may concern everybody. */
  #hear(payload: string): void {
    this.#listeners.tell(isRepoName(payload) ? payload : undefined);
  }

  /** Until the connection ends; whether there was one. Nobody waits for it, and the timer works without it: its errors mean try again. */
  async #listenOnce(): Promise<boolean> {
    const client = createClient(this.#url);
    const ended = endOf(client, this.#closing.signal);
    try {
      await client.connect();
      client.on("notification", ({ payload = EVERY }) => this.#hear(payload));
      await client.query(`listen ${CHANNEL}`);
      this.#listeners.tell(undefined);
      await ended;
      return true;
    } catch {
      // Not reachable now; the next attempt comes after a pause.
      return false;
    } finally {
      // What is left to close may be gone already.
      await client.end().catch(() => undefined);
    }
  }
}

function endOf(client: pg.Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      // There is a connection after this one: its listener must not be one of many.
      signal.removeEventListener("abort", end);
      resolve();
    };
    client.on("error", end);
    client.on("end", end);
    signal.addEventListener("abort", end);
  });
}

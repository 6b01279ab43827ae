import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import type pg from "pg";
import { isRepoName } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { WakeListener, WakeUps } from "../../../ports/store.ts";
import type { Tables } from "../rows/tables.ts";
import { createClient } from "./postgres-engine.ts";
import { WakeListeners } from "./wake-listeners.ts";

const CHANNEL = "wavetrain";
/** No repository has an empty name. */
const EVERY = "";
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/** Sends wake-ups over LISTEN and NOTIFY. It connects when the first listener is added, and again whenever the connection is lost. */
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

  /** This is not part of the transaction that has the news, because the server commits transactions that notify one after another. */
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
      const ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
      await pause(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Anybody on the database can send anything here, even a newer version of the app. So an unknown payload wakes every repository. */
  #hear(payload: string): void {
    this.#listeners.tell(isRepoName(payload) ? payload : undefined);
  }

  /**
   * Listens until the connection ends, and says whether there was one. An error only means that we try again: nobody waits for
   * this, and the timer works without it.
   */
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
      // The server cannot be reached now. The next attempt comes after a pause.
      return false;
    } finally {
      // The connection may be gone already.
      await client.end().catch(() => undefined);
    }
  }
}

function endOf(client: pg.Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      // The next connection adds its own listener to the same signal, so this one must not stay.
      signal.removeEventListener("abort", end);
      resolve();
    };
    client.on("error", end);
    client.on("end", end);
    signal.addEventListener("abort", end);
  });
}

import type { Store } from "../../ports/store.ts";
import type { WakeUps } from "../../ports/wake-ups.ts";
import type { Instant } from "../../domain/ids.ts";
import { DatabaseClock } from "./database-clock.ts";
import { openEmbeddedEngine } from "./embedded-engine.ts";
import type { Engine } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { openPostgresEngine } from "./postgres-engine.ts";
import { isCollision } from "./postgres-error.ts";
import { PostgresWakeUps } from "./postgres-wake-ups.ts";
import { rememberRepos } from "./remember-repos.ts";
import { retrying } from "./retrying.ts";
import { sqlStore } from "./sql-store.ts";
import type { SqlStoreOptions } from "./sql-store.ts";
import { localWakeUps } from "./wake-listeners.ts";

export type StorePlace =
  /** A folder that one process owns; made when it is not there. */
  | { readonly kind?: "embedded"; readonly path: string }
  /** A database that many processes share. */
  | { readonly kind: "postgres"; readonly url: string };

/** What an embedded store is made of, in its folder. */
export const STORE_FILES = ["wavetrain.db", "wavetrain.db-wal", "wavetrain.db-shm", "owner.lock"];

export type OwnStoreOptions = Extract<StorePlace, { readonly path: string }> & SqlStoreOptions;

/** A shared store goes by the database's clock unless another is given. */
export type StoreOptions =
  OwnStoreOptions | (Extract<StorePlace, { readonly url: string }> & Partial<SqlStoreOptions>);

export interface OpenStore extends Store {
  readonly wakeUps: WakeUps;
  /** The clock that its leases and heartbeats go by: whoever compares times with what is in the store asks this one. */
  readonly now: () => Instant;
}

/** Opens the store and brings its schema up to date: `store-locked`, `store-damaged` or `store-unusable` when it cannot. */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  return options.kind === "postgres" ? openShared(options) : openOwn(options);
}

async function openOwn(options: OwnStoreOptions): Promise<OpenStore> {
  const engine = await upToDate(await openEmbeddedEngine(options.path));
  const store = rememberRepos(sqlStore(engine, options), options.now);
  return { ...store, wakeUps: localWakeUps(), now: options.now };
}

async function openShared(
  options: Extract<StoreOptions, { readonly kind: "postgres" }>,
): Promise<OpenStore> {
  const engine = await upToDate(await openPostgresEngine(options.url));
  const clock = await DatabaseClock.start(engine.db);
  const now = options.now ?? clock.now;
  const wakeUps = new PostgresWakeUps(engine.db, options.url);
  const store = retrying(sqlStore(engine, { ...options, now }), isCollision);
  const close = async (): Promise<void> => {
    clock.stop();
    await wakeUps.close().finally(() => store.close());
  };
  return { ...store, wakeUps, now, close };
}

async function upToDate(engine: Engine): Promise<Engine> {
  try {
    await migrate(engine.db);
    return engine;
  } catch (error) {
    // A damaged store may also fail to close; what made it unusable is what to tell.
    await engine.close().catch(() => undefined);
    throw error;
  }
}

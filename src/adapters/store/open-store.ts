import type { Store } from "../../ports/store.ts";
import type { WakeUps } from "../../ports/wake-ups.ts";
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

export type StoreOptions = StorePlace & SqlStoreOptions;

export interface OpenStore extends Store {
  readonly wakeUps: WakeUps;
}

/** Opens the store and brings its schema up to date: `store-locked` or `store-unusable` when it cannot. */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  if (options.kind !== "postgres") {
    const engine = await upToDate(await openEmbeddedEngine(options.path));
    const store = rememberRepos(sqlStore(engine, options), options.now);
    return { ...store, wakeUps: localWakeUps() };
  }
  const engine = await upToDate(await openPostgresEngine(options.url));
  const wakeUps = new PostgresWakeUps(engine.db, options.url);
  const store = retrying(sqlStore(engine, options), isCollision);
  return { ...store, wakeUps, close: () => wakeUps.close().finally(() => store.close()) };
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

import { openEmbeddedEngine } from "./embedded-engine.ts";
import { rememberRepos } from "./remember-repos.ts";
import { sqlStore } from "./sql-store.ts";
import type { OpenStore, OwnStoreOptions, StoreOptions } from "./store-options.ts";
import { upToDate } from "./up-to-date.ts";
import { localWakeUps } from "./wake-listeners.ts";

/** What an embedded store is made of, in its folder. */
export const STORE_FILES = ["wavetrain.db", "wavetrain.db-wal", "wavetrain.db-shm", "owner.lock"];

/** Opens the store and brings its schema up to date: `store-locked`, `store-damaged` or `store-unusable` when it cannot. */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  if (options.kind !== "postgres") return openOwn(options);
  // Most have no PostgreSQL, and should not wait until its client is loaded.
  const { openShared } = await import("./open-shared.ts");
  return openShared(options);
}

async function openOwn(options: OwnStoreOptions): Promise<OpenStore> {
  const engine = await upToDate(await openEmbeddedEngine(options.path));
  const store = rememberRepos(sqlStore(engine, options), options.now);
  return { ...store, wakeUps: localWakeUps(), now: options.now };
}

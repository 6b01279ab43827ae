import { openEmbeddedEngine } from "./engines/embedded-engine.ts";
import { localWakeUps } from "./engines/wake-listeners.ts";
import { rememberRepos } from "./remember-repos.ts";
import { upToDate } from "./schema/migrate.ts";
import { sqlStore } from "./sql-store.ts";
import type { OpenStore, OwnStoreOptions, StoreOptions } from "./store-options.ts";

/** These are the files of an embedded store in its folder. */
export const STORE_FILES = ["wavetrain.db", "wavetrain.db-wal", "wavetrain.db-shm", "owner.lock"];

/** Opens the store and brings its schema up to date. It throws `store-locked`, `store-damaged` or `store-unusable` when it cannot. */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  if (options.kind !== "postgres") return openOwn(options);
  // Most users have no PostgreSQL and should not wait until its client is loaded.
  const { openShared } = await import("./open-shared.ts");
  return openShared(options);
}

async function openOwn(options: OwnStoreOptions): Promise<OpenStore> {
  const engine = await upToDate(await openEmbeddedEngine(options.path));
  const store = rememberRepos(sqlStore(engine, options), options.now);
  return { ...store, wakeUps: localWakeUps(), now: options.now };
}

import { DatabaseClock } from "./database-clock.ts";
import { openPostgresEngine } from "./postgres-engine.ts";
import { isCollision } from "./postgres-error.ts";
import { PostgresWakeUps } from "./postgres-wake-ups.ts";
import { retrying } from "./retrying.ts";
import { sqlStore } from "./sql-store.ts";
import type { OpenStore, SharedStoreOptions } from "./store-options.ts";
import { upToDate } from "./up-to-date.ts";

/** A store in a PostgreSQL, which many processes share. */
export async function openShared(options: SharedStoreOptions): Promise<OpenStore> {
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

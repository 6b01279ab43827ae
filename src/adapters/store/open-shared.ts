import { setTimeout as pause } from "node:timers/promises";
import { DatabaseClock } from "./engines/database-clock.ts";
import { openPostgresEngine } from "./engines/postgres-engine.ts";
import { isCollision } from "./engines/postgres-error.ts";
import { PostgresWakeUps } from "./engines/postgres-wake-ups.ts";
import { upToDate } from "./schema/migrate.ts";
import { sqlStore } from "./sql-store.ts";
import type { OpenStore, SharedStoreOptions } from "./store-options.ts";

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 10;

/** Opens a store in PostgreSQL, which many processes share. */
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

type Calls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * Returns the same calls, but repeats one after a pause when it failed and left nothing behind. Each call is one transaction, or
 * can be repeated as a whole.
 */
function retrying<T extends object>(calls: T, leftNothing: (error: unknown) => boolean): T {
  const patient = Object.entries(calls as Calls).map(([name, call]) => [
    name,
    (...args: never[]) => patiently(() => call(...args), leftNothing),
  ]);
  return Object.fromEntries(patient) as T;
}

async function patiently<T>(
  call: () => Promise<T>,
  leftNothing: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS || !leftNothing(error)) throw error;
      // The pause is random, so that two calls that collided do not collide again.
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

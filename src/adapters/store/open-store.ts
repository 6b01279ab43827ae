import type { Store } from "../../ports/store.ts";
import { openEmbeddedEngine } from "./embedded-engine.ts";
import { migrate } from "./migrate.ts";
import { sqlStore } from "./sql-store.ts";
import type { SqlStoreOptions } from "./sql-store.ts";

export interface StoreOptions extends SqlStoreOptions {
  /** The folder that holds the store; made when it is not there. */
  readonly path: string;
}

/** Opens the embedded store and brings its schema up to date: `store-locked` or `store-unusable` when it cannot. */
export async function openStore({ path, ...options }: StoreOptions): Promise<Store> {
  const engine = await openEmbeddedEngine(path);
  try {
    await migrate(engine.db);
    return sqlStore(engine, options);
  } catch (error) {
    // A damaged store may also fail to close; what made it unusable is what to tell.
    await engine.close().catch(() => undefined);
    throw error;
  }
}

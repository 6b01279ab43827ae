import type { Engine } from "./engine.ts";
import { migrate } from "./migrate.ts";

/** The engine with today's tables. */
export async function upToDate(engine: Engine): Promise<Engine> {
  try {
    await migrate(engine.db);
    return engine;
  } catch (error) {
    // A damaged store may also fail to close; what made it unusable is what to tell.
    await engine.close().catch(() => undefined);
    throw error;
  }
}

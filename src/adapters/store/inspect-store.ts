import { access } from "node:fs/promises";
import { join } from "node:path";
import type { StoreFacts } from "../../ports/inspection.ts";
import { AppError } from "../../shared/app-error.ts";
import { checkDatabase } from "./engines/check-database.ts";
import { openEmbeddedEngine } from "./engines/embedded-engine.ts";
import type { Engine } from "./rows/tables.ts";
import { refuseNewerSchema } from "./schema/migrate.ts";
import type { StorePlace } from "./store-options.ts";

/** Says whether the store could be opened. It neither makes a store nor brings one up to date. */
export async function inspectStore(place: StorePlace): Promise<StoreFacts> {
  if (place.kind !== "postgres" && !(await isThere(place.path))) return { state: "new" };
  try {
    const engine = await openEngine(place);
    try {
      await refuseNewerSchema(engine.db);
      const damage = place.kind === "postgres" ? undefined : await checkDatabase(place.path);
      if (damage === undefined) return { state: "good" };
      return { state: "unusable", reason: `the store is damaged: ${damage}` };
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const state = error.code === "store-locked" ? "held" : "unusable";
    return { state, reason: error.message };
  }
}

async function openEngine(place: StorePlace): Promise<Engine> {
  if (place.kind !== "postgres") return openEmbeddedEngine(place.path);
  const { openPostgresEngine } = await import("./engines/postgres-engine.ts");
  return openPostgresEngine(place.url);
}

function isThere(folder: string): Promise<boolean> {
  return access(join(folder, "wavetrain.db")).then(
    () => true,
    () => false,
  );
}

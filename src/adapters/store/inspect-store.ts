import { access } from "node:fs/promises";
import { join } from "node:path";
import type { StoreFacts } from "../../ports/host-inspection.ts";
import { AppError } from "../../shared/app-error.ts";
import { checkDatabase } from "./check-database.ts";
import { openEmbeddedEngine } from "./embedded-engine.ts";
import { refuseNewerSchema } from "./migrate.ts";
import type { StorePlace } from "./open-store.ts";
import { openPostgresEngine } from "./postgres-engine.ts";

/** Whether the store could be opened, without making one or bringing one up to date. */
export async function inspectStore(place: StorePlace): Promise<StoreFacts> {
  if (place.kind !== "postgres" && !(await isThere(place.path))) return { state: "new" };
  try {
    const engine =
      place.kind === "postgres"
        ? await openPostgresEngine(place.url)
        : await openEmbeddedEngine(place.path);
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

function isThere(folder: string): Promise<boolean> {
  return access(join(folder, "wavetrain.db")).then(
    () => true,
    () => false,
  );
}

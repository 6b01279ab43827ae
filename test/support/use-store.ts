import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import type { Instant } from "../../src/domain/ids.ts";
import type { Store } from "../../src/ports/store.ts";

/** A real store for each test, empty at its beginning. */
export function useStore(now: () => Instant): () => Store {
  let folder: string;
  let store: Store;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "wavetrain-store-"));
    store = await openStore({ path: folder, now });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return () => store;
}

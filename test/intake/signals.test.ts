import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { markUnwatched } from "../../src/intake/signals.ts";
import type { Store } from "../../src/ports/store.ts";
import { aSignal, NOW, OTHER_REPO, REPO } from "../support/builders.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-signals-"));
  store = await openStore({ path: folder, now: () => NOW });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

describe("markUnwatched", () => {
  it("marks what concerns no watched repository and leaves the rest to its ticks", async () => {
    await store.addSignal(aSignal({ deliveryId: "watched", repo: REPO }));
    await store.addSignal(aSignal({ deliveryId: "unwatched", repo: OTHER_REPO }));
    await store.addSignal(aSignal({ deliveryId: "board", repo: undefined }));
    await store.addSignal(aSignal({ deliveryId: "foreign board", owner: "else", repo: undefined }));
    await markUnwatched(store, [REPO], NOW);
    const left = (await store.unseenSignals()).map(({ deliveryId }) => deliveryId);
    expect(left.toSorted()).toEqual(["board", "watched"]);
  });
});

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../../src/adapters/store/events/replay.ts";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import { NOW } from "../../support/builders.ts";
import { times } from "../../support/proofs.ts";
import { compiledChildren } from "./compiled.ts";
import { expectAcknowledged, killedWriter, startChild } from "./killed-writer.ts";

const KILLS = times({ test: 6, ci: 24, long: 240 });
const OWNER_PID = /\b\d+$/;

let root: string;
let compiled: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-crash-"));
  compiled = await compiledChildren();
});
afterAll(() => rm(root, { recursive: true }));

describe("a store whose process is killed", () => {
  it(`keeps all that it acknowledged, and nothing by halves, over ${KILLS} kills`, async () => {
    const path = join(root, "killed");
    const rounds = new Map<string, number>();
    for (let n = 0; n < KILLS; n += 1) {
      const name = `writer-${n}`;
      rounds.set(name, await killedWriter({ compiled, place: path, name }));
    }
    const store = await openStore({ path, now: () => NOW });
    try {
      for (const [name, acknowledged] of rounds) {
        await expectAcknowledged(store, name, acknowledged);
      }
      const events = await store.events(0, 1_000_000);
      expect(brokenLink(events)).toBeUndefined();
      const tasks = [...rounds.values()].reduce((sum, count) => sum + count, 0);
      expect(replay(events).tasks.length).toBeGreaterThanOrEqual(tasks);
      expect(tasks).toBeGreaterThan(KILLS);
    } finally {
      await store.close();
    }
  });
});

describe("a store that another process owns", () => {
  it("is refused with that process's id, and is free once that process is killed", async () => {
    const path = join(root, "owned");
    const owner = startChild(compiled, "owner", path);
    await once(owner.stdout, "data");
    const refused = await openStore({ path, now: () => NOW }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "AppError", code: "store-locked" });
    expect(OWNER_PID.exec((refused as Error).message)?.[0]).toBe(String(owner.pid));
    owner.kill("SIGKILL");
    await once(owner, "exit");
    const store = await openStore({ path, now: () => NOW });
    await store.close();
  });
});

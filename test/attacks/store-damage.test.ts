import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkDatabase } from "../../src/adapters/store/engines/check-database.ts";
import { inspectStore } from "../../src/adapters/store/inspect-store.ts";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { instant } from "../../src/domain/ids.ts";
import { AppProcess } from "../support/app-process.ts";
import { World } from "../support/world.ts";

const PAGE_BYTES = 4096;
const now = () => instant(Date.now());

let world: World;
let app: AppProcess;
afterEach(async () => {
  await app.kill();
  await world.close();
});

/** Rows that nobody reads, so that there is a middle. */
async function fill(path: string): Promise<void> {
  const store = await openStore({ path, now });
  for (let n = 0; n < 300; n += 1)
    await store.savePublication({ key: `none:${n}`, remoteId: "x".repeat(300), digest: "" });
  await store.close();
}

async function damageMiddle(path: string): Promise<void> {
  const file = join(path, "wavetrain.db");
  const middle = Math.floor((await stat(file)).size / PAGE_BYTES / 2);
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, middle * PAGE_BYTES);
  await handle.close();
}

describe("13: a damaged page in the middle of the database", () => {
  it("is noticed after the start: nothing is started or landed, and it is said", async () => {
    world = await World.create({ startApp: false, strict: false });
    app = new AppProcess(world);
    const path = join(world.folder, "app", "store");
    await fill(path);
    expect(await checkDatabase(path)).toBeUndefined();
    await damageMiddle(path);
    // What `wavetrain doctor` asks while no server runs.
    expect(await inspectStore({ path })).toMatchObject({ state: "unusable" });
    await app.start();
    // It answers before the command line can find it.
    const notices = () =>
      world
        .status()
        .then((status) => status.notices)
        .catch(() => []);
    await world.until("the damage is said", async () =>
      (await notices()).some((line) => line.startsWith("halted: the store is damaged")),
    );
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    world.moveToReady("one");
    await world.github.deliverySettled();
    // The webhook was taken; a server at work starts within a fraction of this.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await world.journal()).toEqual([]);
    expect(world.column("one")).toBe("Ready");
  });

  it("is told from a sound one that is at work", async () => {
    world = await World.create({ startApp: false, strict: false });
    app = new AppProcess(world);
    await app.start();
    const path = join(world.folder, "app", "store");
    expect(await checkDatabase(path)).toBeUndefined();
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    world.moveToReady("one");
    await world.untilColumn("In review", "one");
    expect((await world.status()).notices).toEqual([]);
  });
});

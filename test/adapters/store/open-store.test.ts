import { chmod, mkdir, mkdtemp, open, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "../../../src/adapters/store/engines/embedded-engine.ts";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { sqlStore } from "../../../src/adapters/store/sql-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { NOW, REPO, aSignal, aTask } from "../../support/builders.ts";
import { added } from "./changes.ts";

const damaged = { name: "AppError", code: "store-damaged" };
const unusable = { name: "AppError", code: "store-unusable" };
const isRoot = process.getuid?.() === 0;

let root: string;
let path: string;
const reopen = (): Promise<Store> => openStore({ path, now: () => NOW });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-open-"));
  path = root;
});
afterEach(() => rm(root, { recursive: true }));

describe("openStore", () => {
  it("makes the folder, and finds what it wrote when it is opened again", async () => {
    path = join(root, "deep/in/here");
    const first = await reopen();
    await first.record(REPO, [added(aTask())]);
    await first.addSignal(aSignal());
    await first.savePublication({ key: "k", remoteId: "1", digest: "a" });
    await first.close();
    const again = await reopen();
    expect((await again.readRepo(REPO)).tasks).toEqual([aTask()]);
    expect(await again.unseenSignals()).toEqual([aSignal()]);
    expect(await again.publication("k")).toMatchObject({ digest: "a" });
    await again.close();
  });

  it("leaves one file to copy as a backup when it is closed", async () => {
    const store = await reopen();
    await store.record(REPO, [added(aTask())]);
    await store.close();
    const copy = join(root, "copy");
    await mkdir(copy);
    await writeFile(join(copy, "wavetrain.db"), await readFile(join(path, "wavetrain.db")));
    const restored = await openStore({ path: copy, now: () => NOW });
    expect((await restored.readRepo(REPO)).tasks).toEqual([aTask()]);
    await restored.close();
  });

  it("syncs the disk before a write is acknowledged, and keeps references whole", async () => {
    const engine = await openEmbeddedEngine(path);
    const settings = [
      (await sql`pragma synchronous`.execute(engine.db)).rows,
      (await sql`pragma journal_mode`.execute(engine.db)).rows,
      (await sql`pragma foreign_keys`.execute(engine.db)).rows,
    ];
    await engine.close();
    const full = 2;
    expect(settings.flat()).toEqual([
      { synchronous: full },
      { journalMode: "wal" },
      { foreignKeys: 1 },
    ]);
  });

  it("refuses a second owner in the same process too, and does not disturb the first", async () => {
    const first = await reopen();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const message = expect.stringContaining(String(process.pid)) as string;
      await expect(reopen()).rejects.toMatchObject({ code: "store-locked", message });
    }
    await first.record(REPO, [added(aTask())]);
    await first.close();
    const next = await reopen();
    await next.close();
  });

  it("refuses a path that is a file, or that goes through one", async () => {
    const file = join(path, "file");
    await writeFile(file, "mine");
    for (const wrong of [file, join(file, "below")]) {
      await expect(openStore({ path: wrong, now: () => NOW })).rejects.toMatchObject(unusable);
    }
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  it("refuses a place where no folder can be made", async () => {
    const nowhere = openStore({ path: "/sys/wavetrain", now: () => NOW });
    await expect(nowhere).rejects.toMatchObject(unusable);
  });

  it.skipIf(isRoot)("refuses a read-only folder", async () => {
    await chmod(path, 0o555);
    await expect(reopen()).rejects.toMatchObject(unusable);
  });

  it("refuses a file that is not a database, and leaves it alone", async () => {
    const file = join(path, "wavetrain.db");
    await writeFile(file, "not a database ".repeat(1000));
    await expect(reopen()).rejects.toMatchObject(damaged);
    expect(await readFile(file, "utf8")).toBe("not a database ".repeat(1000));
    expect(await readdir(path)).not.toContain("owner.pid");
  });

  it("says so when the pages of its file are damaged", async () => {
    const store = await reopen();
    for (let issue = 0; issue < 200; issue += 1) {
      await store.record(REPO, [added(aTask({ issue }))]);
    }
    await store.close();
    await overwrite(join(path, "wavetrain.db"), 4096);
    const used = reopen().then((damaged) => damaged.readRepo(REPO).finally(() => damaged.close()));
    await expect(used).rejects.toMatchObject(damaged);
  });

  it("refuses a folder whose database was written by a newer version", async () => {
    const engine = await openEmbeddedEngine(path);
    await sql`create table kysely_migration (name text primary key, timestamp text)`.execute(
      engine.db,
    );
    await sql`insert into kysely_migration values ('9999-later', '')`.execute(engine.db);
    await engine.close();
    const message = expect.stringContaining("9999-later") as string;
    await expect(reopen()).rejects.toMatchObject({ ...unusable, message });
  });
});

describe("a full disk", () => {
  it("refuses the write as a whole, keeps what was acknowledged, and goes on when there is room", async () => {
    await (await reopen()).close();
    const engine = await openEmbeddedEngine(path);
    const store = sqlStore(engine, { now: () => NOW });
    await sql`pragma max_page_count = 60`.execute(engine.db);
    const full = { ...unusable, retryable: true };
    const acknowledged = await fill(store, full);
    const burst = Array.from({ length: 20 }, (_, i) =>
      store.addSignal(aSignal({ deliveryId: `${i}`.repeat(4000) })),
    );
    for (const signal of burst) await expect(signal).rejects.toMatchObject(full);
    await sql`pragma max_page_count = 6000`.execute(engine.db);
    const { tasks } = await store.readRepo(REPO);
    expect(tasks).toHaveLength(acknowledged);
    expect(await store.events(0, 1000)).toHaveLength(acknowledged);
    await store.record(REPO, [added(aTask({ issue: acknowledged }))]);
    await store.close();
  });
});

async function fill(store: Store, refusal: object): Promise<number> {
  for (let issue = 0; ; issue += 1) {
    const refused = await store.record(REPO, [added(aTask({ issue }))]).catch((e: unknown) => e);
    if (refused === undefined) continue;
    expect(refused).toMatchObject(refusal);
    return issue;
  }
}

async function overwrite(file: string, from: number): Promise<void> {
  const { length } = await readFile(file);
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(length - from, 0xab), 0, length - from, from);
  await handle.close();
}

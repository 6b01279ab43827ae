import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DiskPace, DiskWatch, measureDisk } from "../../src/adapters/process-disk.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-disk-"));
  await writeFile(join(folder, "large"), Buffer.alloc(1 << 20));
});
afterEach(() => rm(folder, { recursive: true }));

const limitOf = (maxBytes: number) => ({ folders: [folder], maxBytes, areFresh: false });
const LIMIT = { kind: "disk-limit", limitBytes: 1 << 20 };

describe("DiskWatch", () => {
  it("says at once what is too much", () => {
    expect(new DiskWatch(limitOf(1 << 20), new DiskPace()).look()).toEqual(LIMIT);
    expect(new DiskWatch(limitOf(2 << 20), new DiskPace()).look()).toBeUndefined();
    expect(new DiskWatch(undefined, new DiskPace()).look()).toBeUndefined();
  });

  it("waits when others have looked for long", () => {
    const pace = new DiskPace();
    pace.spend(60_000);
    expect(new DiskWatch(limitOf(1 << 20), pace).look()).toBeUndefined();
  });

  it("rests after a whole look", async () => {
    const watch = new DiskWatch(limitOf(2 << 20), new DiskPace());
    expect(watch.look()).toBeUndefined();
    await writeFile(join(folder, "more"), Buffer.alloc(2 << 20));
    expect(watch.look()).toBeUndefined();
    await expect
      .poll(() => watch.look(), { timeout: 60_000 })
      .toMatchObject({ kind: "disk-limit" });
  });
});

describe("measureDisk", () => {
  it("looks at everything, whoever else looks", async () => {
    expect(await measureDisk(limitOf(1 << 20))).toEqual(LIMIT);
    expect(await measureDisk(limitOf(2 << 20))).toBeUndefined();
    expect(await measureDisk(undefined)).toBeUndefined();
  });
});

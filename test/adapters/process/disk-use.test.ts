import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  DiskPace,
  DiskWalk,
  DiskWatch,
  measureDisk,
} from "../../../src/adapters/process/disk-use.ts";

const KB = 1024;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-disk-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (...path: readonly string[]): string => join(folder, ...path);
const writeLarge = () => writeFile(at("large"), Buffer.alloc(1 << 20));
const limitOf = (maxBytes: number) => ({ folders: [folder], maxBytes, areFresh: false });
const LIMIT = { kind: "disk-limit", limitBytes: 1 << 20 };

describe("DiskWatch", () => {
  beforeEach(writeLarge);

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
  beforeEach(writeLarge);

  it("looks at everything, whoever else looks", async () => {
    expect(await measureDisk(limitOf(1 << 20))).toEqual(LIMIT);
    expect(await measureDisk(limitOf(2 << 20))).toBeUndefined();
    expect(await measureDisk(undefined)).toBeUndefined();
  });
});

/** Whether it is more, and in how many moments that was found out. */
function isMore(maxBytes: number, folders = [folder]): { isOver: boolean; moments: number } {
  const walk = new DiskWalk(folders, maxBytes);
  for (let moments = 1; ; moments += 1) {
    const isOver = walk.advance();
    if (isOver !== undefined) return { isOver, moments };
  }
}

describe("DiskWalk", () => {
  it("counts what a file takes, or what it claims to hold, whichever is more", async () => {
    await writeFile(at("real"), Buffer.alloc(100 * KB));
    await writeFile(at("sparse"), "");
    await truncate(at("sparse"), 1000 * KB);
    expect(isMore(1100 * KB)).toMatchObject({ isOver: true });
    expect(isMore(1120 * KB)).toMatchObject({ isOver: false });
  });

  it("counts a file with several names once, also across folders, and follows no link", async () => {
    await mkdir(at("a"));
    await mkdir(at("b"));
    await writeFile(at("a", "file"), Buffer.alloc(500 * KB));
    await link(at("a", "file"), at("b", "same"));
    await symlink("/", at("a", "root"));
    expect(isMore(600 * KB, [at("a"), at("b")])).toMatchObject({ isOver: false });
    expect(isMore(490 * KB, [at("a"), at("b")])).toMatchObject({ isOver: true });
  });

  it("looks at a large folder in many short moments", async () => {
    for (let n = 0; n < 2500; n += 1) await writeFile(at(`f${n}`), "");
    expect(isMore(2500 * 3 * KB)).toMatchObject({ isOver: true });
    const { isOver, moments } = isMore(2500 * 5 * KB);
    expect(isOver).toBe(false);
    expect(moments).toBeGreaterThanOrEqual(3);
  });

  it("takes what is not there for nothing", () => {
    expect(isMore(KB, [at("none")])).toEqual({ isOver: false, moments: 1 });
  });
});

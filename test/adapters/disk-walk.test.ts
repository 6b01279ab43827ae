import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DiskWalk } from "../../src/adapters/disk-walk.ts";

const KB = 1024;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-disk-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (...path: readonly string[]): string => join(folder, ...path);

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

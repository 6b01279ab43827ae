import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PASSED_OVER } from "../../../src/adapters/host/aside.ts";
import { createHost } from "../../../src/adapters/host/host.ts";
import type { Host } from "../../../src/ports/host.ts";

let folder: string;
let host: Host;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-host-"));
  host = createHost(folder, {}, PASSED_OVER);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("makePrivateFolders", () => {
  it("says whether anybody could have left something in them", async () => {
    const first = await host.makePrivateFolders({ home: "a/b#1", tmp: "run.1" });
    expect(first.fresh).toBe(true);
    await writeFile(join(first.home, ".npmrc"), "evil");
    await host.removeTmp("run.1");
    const second = await host.makePrivateFolders({ home: "a/b#1", tmp: "run.2" });
    expect(second).toMatchObject({ home: first.home, fresh: false });

    await host.removeHome("a/b#1");
    expect(await host.makePrivateFolders({ home: "a/b#1", tmp: "run.2" })).toMatchObject({
      fresh: false,
    });
    await host.removeHome("a/b#1");
    await host.removeTmp("run.2");
    expect((await host.makePrivateFolders({ home: "a/b#1", tmp: "run.2" })).fresh).toBe(true);
  });
});

describe("nonce", () => {
  it("is another one each time", () => {
    expect(new Set(Array.from({ length: 100 }, () => host.nonce())).size).toBe(100);
  });
});

import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { NOW, REPO, aTask } from "../support/builders.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-modes-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

it("12: nobody else reads the store, also where its folder was there before with wider rights", async () => {
  const path = join(root, "store");
  await mkdir(path, { mode: 0o755 });
  const store = await openStore({ path, now: () => NOW });
  await store.record(REPO, [{ kind: "task-added", task: aTask() }]);
  expect(await modeOf(path)).toBe("700");
  const files = (await readdir(path)).filter((name) => name.startsWith("wavetrain.db"));
  expect(files).toContain("wavetrain.db-wal");
  for (const name of files) expect([name, await modeOf(join(path, name))]).toEqual([name, "600"]);
  await store.close();
});

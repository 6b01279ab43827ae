import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { describeStore } from "./contract.ts";

let root: string;
let opened = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-store-"));
});
afterAll(() => rm(root, { recursive: true }));

describeStore("embedded store", (now) => openStore({ path: join(root, `store-${opened++}`), now }));

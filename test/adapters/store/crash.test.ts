import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenLink } from "../../../src/adapters/store/chain.ts";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { replay } from "../../../src/adapters/store/replay.ts";
import { repoName } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/ports/store.ts";
import { NOW } from "../../support/builders.ts";
import { compileStore } from "./compiled.ts";

const KILLS = 24;
const OWNER_PID = /\b\d+$/;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-crash-"));
  await compileStore(join(root, "compiled"));
});
afterAll(() => rm(root, { recursive: true }));

describe("a store whose process is killed", () => {
  it(
    `keeps all that it acknowledged, and nothing by halves, over ${KILLS} kills`,
    { timeout: 120_000 },
    async () => {
      const path = join(root, "killed");
      const rounds = new Map<string, number>();
      for (let n = 0; n < KILLS; n += 1) {
        const name = `writer-${n}`;
        rounds.set(name, await killedWriter(path, name));
      }
      const store = await openStore({ path, now: () => NOW });
      try {
        const arrived = new Set((await store.unseenSignals()).map((signal) => signal.deliveryId));
        for (const [name, acknowledged] of rounds) {
          for (let n = 0; n < acknowledged; n += 1) expect(arrived).toContain(`${name}-${n}`);
          await expectWhole(store, name, acknowledged);
        }
        const events = await store.events(0, 1_000_000);
        expect(brokenLink(events)).toBeUndefined();
        const tasks = [...rounds.values()].reduce((sum, count) => sum + count, 0);
        expect(replay(events).tasks.length).toBeGreaterThanOrEqual(tasks);
        expect(tasks).toBeGreaterThan(KILLS);
      } finally {
        await store.close();
      }
    },
  );
});

describe("a store that another process owns", () => {
  it("is refused with that process's id, and is free once that process is killed", async () => {
    const path = join(root, "owned");
    const owner = child("owner", path);
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

/** Every fourth writer is killed while it starts, the others after some rounds. Returns how many rounds were acknowledged. */
async function killedWriter(path: string, name: string): Promise<number> {
  const writer = child("writer", path, name);
  const ended = once(writer, "close");
  const n = Number(name.slice("writer-".length));
  const patience = n % 4 === 3 ? 0 : 1 + ((n * 37) % 60);
  let output = "";
  if (patience === 0) setTimeout(() => writer.kill("SIGKILL"), 60 + n * 5);
  writer.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (patience > 0 && output.split("\n").length > patience) writer.kill("SIGKILL");
  });
  await ended;
  return output.split("\n").length - 1;
}

function child(name: string, ...args: readonly string[]) {
  const script = join(root, "compiled/test/adapters/store/children", `${name}.js`);
  return spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** A task and its run are one batch: there is never one without the other. */
async function expectWhole(store: Store, name: string, acknowledged: number): Promise<void> {
  const { tasks, runs } = await store.readRepo(repoName(`octo/${name}`));
  expect(runs.map((run) => run.task).sort()).toEqual(tasks.map((task) => task.id).sort());
  expect(tasks.length).toBeGreaterThanOrEqual(acknowledged);
  expect(tasks.length).toBeLessThanOrEqual(acknowledged + 1);
}

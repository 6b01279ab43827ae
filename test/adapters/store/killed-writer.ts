import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { repoName } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/ports/store.ts";

/** Starts a compiled program of `children/`. */
export function startChild(compiled: string, name: string, ...args: readonly string[]) {
  const script = join(compiled, `${name}.mjs`);
  return spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

export interface Writing {
  readonly compiled: string;
  readonly place: string;
  /** `writer-` and a number. */
  readonly name: string;
}

/** Every fourth writer is killed while it starts, the others after some rounds. Returns how many rounds were acknowledged. */
export async function killedWriter({ compiled, place, name }: Writing): Promise<number> {
  const writer = startChild(compiled, "writer", place, name);
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

/** All that was acknowledged is there. A task and its run are one batch: there is never one without the other. */
export async function expectAcknowledged(
  store: Store,
  name: string,
  acknowledged: number,
): Promise<void> {
  const arrived = new Set((await store.unseenSignals()).map((signal) => signal.deliveryId));
  for (let n = 0; n < acknowledged; n += 1) expect(arrived).toContain(`${name}-${n}`);
  const { tasks, runs } = await store.readRepo(repoName(`octo/${name}`));
  expect(runs.map((run) => run.task).sort()).toEqual(tasks.map((task) => task.id).sort());
  expect(tasks.length).toBeGreaterThanOrEqual(acknowledged);
  expect(tasks.length).toBeLessThanOrEqual(acknowledged + 1);
}

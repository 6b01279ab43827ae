import { readFile, readdir } from "node:fs/promises";
import { expect } from "vitest";
import type { World } from "./world.ts";

/** Processes of this world's runs that are still alive, of all tasks or of one; Linux only. */
export async function runningAgents(world: World, task = ""): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.includes(`AGENT_DIR=${world.agentFolder}`) &&
        environment.includes("WAVETRAIN_RUN_ID=") &&
        environment.includes(`WAVETRAIN_TASK_ID=${task}`)
        ? [Number(pid)]
        : [];
    }),
  );
  return found.flat();
}

/** With all that is in their namespaces: most are gone before their turn comes. */
export async function killAgents(world: World, task = ""): Promise<void> {
  for (const pid of await runningAgents(world, task)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "ESRCH") throw error;
    }
  }
}

export async function expectEachLandedOnce(world: World, ids: readonly string[]): Promise<void> {
  const subjects = (await world.git("log", "--format=%s", "main")).split("\n");
  for (const id of ids) {
    expect(subjects.filter((subject) => subject.startsWith(`Task ${id} (`))).toHaveLength(1);
    expect(world.comments(id)).toHaveLength(1);
    expect(world.issue(id).state).toBe("closed");
  }
  expect(world.pulls()).toHaveLength(ids.length);
}

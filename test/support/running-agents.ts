import { readFile, readdir } from "node:fs/promises";
import type { World } from "./world.ts";

/** Processes of this world's runs that are still alive. */
export async function runningAgents(world: World): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.includes(`AGENT_DIR=${world.agentFolder}`) &&
        environment.includes("WAVETRAIN_RUN_ID=")
        ? [pid]
        : [];
    }),
  );
  return found.flat();
}

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Whoever reads why a run failed finds the whole log at the path that is shown. */
export async function removeApp(dataDir: string, keepsLogs: boolean): Promise<void> {
  const names = keepsLogs ? await readdir(dataDir) : ["."];
  for (const name of names)
    if (name !== "logs") await rm(join(dataDir, name), { recursive: true, force: true });
}

import { mkdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { availableMemory } from "./available-memory.ts";
import { join, resolve } from "node:path";
import type { Host } from "../ports/host.ts";
import { digest } from "../shared/digest.ts";

export function createHost(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
): Host {
  const logs = join(dataDir, "logs");
  mkdirSync(logs, { recursive: true });
  // One process owns the folder, so two servers on one machine never sweep each other's runs.
  const instance = digest(resolve(dataDir)).slice(0, 12);
  const folder = (id: string): string => join(dataDir, "private", fileNameOf(id));
  return {
    environment,
    logPath: (id) => join(logs, `${fileNameOf(id)}.log`),
    async makePrivateFolders(id) {
      await rm(folder(id), { recursive: true, force: true });
      const made = { home: join(folder(id), "home"), tmp: join(folder(id), "tmp") };
      for (const path of Object.values(made)) await mkdir(path, { recursive: true, mode: 0o700 });
      return made;
    },
    removePrivateFolders: (id) => rm(folder(id), { recursive: true, force: true }),
    markerOf: (id) => `${id}@${instance}`,
    availableMemory,
    random: () => Math.random(),
  };
}

function fileNameOf(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]/g, "_");
}

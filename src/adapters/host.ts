import { mkdirSync } from "node:fs";
import { mkdir, readdir, statfs } from "node:fs/promises";
import { availableMemory } from "./available-memory.ts";
import { join, resolve } from "node:path";
import type { Host } from "../ports/host.ts";
import { digest } from "../shared/digest.ts";
import { removeFolder } from "./git/remove-folder.ts";

export function createHost(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
): Host {
  const logs = join(dataDir, "logs");
  const homes = join(dataDir, "homes");
  for (const path of [logs, homes]) mkdirSync(path, { recursive: true });
  // One process owns the folder, so two servers on one machine never sweep each other's runs.
  const instance = digest(resolve(dataDir)).slice(0, 12);
  const homeOf = (id: string): string => join(homes, encodeURIComponent(id));
  const tmpOf = (id: string): string => join(dataDir, "tmp", fileNameOf(id));
  return {
    environment,
    logPath: (id) => join(logs, `${fileNameOf(id)}.log`),
    async makePrivateFolders(owner) {
      const folders = { home: homeOf(owner.home), tmp: tmpOf(owner.tmp) };
      for (const path of Object.values(folders)) {
        await mkdir(path, { recursive: true, mode: 0o700 });
      }
      return folders;
    },
    removeTmp: (id) => removeFolder(tmpOf(id)),
    removeHome: (id) => removeFolder(homeOf(id)),
    listHomes: async () => (await readdir(homes)).map(decodeURIComponent),
    markerOf: (id) => `${id}@${instance}`,
    async freeDiskBytes() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    availableMemory,
    random: () => Math.random(),
  };
}

function fileNameOf(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]/g, "_");
}

import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { availableMemory } from "./available-memory.ts";
import { join, resolve } from "node:path";
import type { Aside } from "../ports/aside.ts";
import type { Host } from "../ports/host.ts";
import { digest } from "../shared/digest.ts";
import { decodedName, foldersIn } from "./folders-in.ts";

export function createHost(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  aside: Aside,
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
      const tmp = tmpOf(owner.tmp);
      const folders = { home: homeOf(owner.home), tmp, desk: `${tmp}.desk` };
      // Commands only read the desk, and the app lays it out anew for each.
      const made = await Promise.all([makeFolder(folders.home), makeFolder(folders.tmp)]);
      await makeFolder(folders.desk);
      return { ...folders, fresh: made.every(Boolean) };
    },
    removeTmp: (id) => aside.remove(tmpOf(id)),
    removeHome: (id) => aside.remove(homeOf(id)),
    listHomes: () => foldersIn(homes, { aside, read: decodedName }),
    markerOf: (id) => `${id}@${instance}`,
    async freeDiskBytes() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    availableMemory,
    random: () => Math.random(),
    nonce: () => randomBytes(8).toString("hex"),
  };
}

/** Whether it was not there before. */
async function makeFolder(path: string): Promise<boolean> {
  return (await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined;
}

function fileNameOf(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]/g, "_");
}

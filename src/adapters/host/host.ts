import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, statfs, readFile } from "node:fs/promises";
import { freemem } from "node:os";
import { join, resolve } from "node:path";
import type { Aside, Host } from "../../ports/host.ts";
import { digest } from "../../shared/digest.ts";
import { decodedName, foldersIn } from "./folders.ts";

export function createHost(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  aside: Aside,
): Host {
  const logs = join(dataDir, "logs");
  const homes = join(dataDir, "homes");
  for (const path of [logs, homes]) mkdirSync(path, { recursive: true });
  // One process owns the folder, so this name keeps two servers on one machine from sweeping each other's runs.
  const instance = digest(resolve(dataDir)).slice(0, 12);
  const homeOf = (id: string): string => join(homes, encodeURIComponent(id));
  const tmpOf = (id: string): string => join(dataDir, "tmp", fileNameOf(id));
  return {
    environment,
    logPath: (id) => join(logs, `${fileNameOf(id)}.log`),
    async makePrivateFolders(owner) {
      const tmp = tmpOf(owner.tmp);
      const folders = { home: homeOf(owner.home), tmp, inputDir: `${tmp}.input` };
      // Commands only read their input, and the app lays it out anew for each.
      const made = await Promise.all([makeFolder(folders.home), makeFolder(folders.tmp)]);
      await makeFolder(folders.inputDir);
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

/** Makes the folder, and returns whether it was not there before. */
async function makeFolder(path: string): Promise<boolean> {
  return (await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined;
}

function fileNameOf(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9._-]/g, "_");
}

/** Returns how many bytes new programs could have. On Linux this includes caches that can be given up; elsewhere it is unused memory. */
async function availableMemory(): Promise<number> {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}

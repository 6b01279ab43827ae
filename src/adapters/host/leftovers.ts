import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { instant } from "../../domain/ids.ts";
import type { Aside } from "../../ports/host.ts";
import type { Leftovers, Leftover } from "../../ports/leftovers.ts";
import { decodedName } from "./folders.ts";

const FOLDERS = { log: "logs", home: "homes", "run-folder": "runs", tmp: "tmp" } as const;
type Kind = keyof typeof FOLDERS;
const KINDS: readonly Kind[] = ["log", "home", "run-folder", "tmp"];

/** Lists and removes all leftovers below the data folder: those on git's side and those of runs. */
export function createLeftovers(dataDir: string, git: Leftovers, aside: Aside): Leftovers {
  const host = createHostLeftovers(dataDir, aside);
  return {
    list: async () => (await Promise.all([git.list(), host.list()])).flat(),
    remove: (leftover) => (isKept(leftover) ? host.remove(leftover) : git.remove(leftover)),
    compact: (repo) => git.compact(repo),
  };
}

/** Lists and removes files that runs left in the data folder outside of git's side. */
function createHostLeftovers(dataDir: string, aside: Aside): Pick<Leftovers, "list" | "remove"> {
  return {
    list: async () => (await Promise.all(KINDS.map((kind) => listKind(dataDir, kind)))).flat(),
    async remove(leftover) {
      if (!isKept(leftover)) throw new Error(`the host keeps no ${leftover.kind}`);
      const path = join(dataDir, FOLDERS[leftover.kind], fileNameOf(leftover));
      await aside.remove(path);
    },
  };
}

function isKept(leftover: Leftover): leftover is Extract<Leftover, { kind: Kind }> {
  return leftover.kind in FOLDERS;
}

async function listKind(dataDir: string, kind: Kind): Promise<readonly Leftover[]> {
  const folder = join(dataDir, FOLDERS[kind]);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      const meant = nameOf(kind, name);
      return stats === undefined || meant === undefined
        ? undefined
        : { kind, name: meant, at: instant(stats.mtimeMs) };
    }),
  );
  return found.filter((leftover) => leftover !== undefined);
}

/** Homes and run folders are named by encoded ids, logs and temporary folders by the id itself. */
function nameOf(kind: Kind, file: string): string | undefined {
  return kind === "home" || kind === "run-folder" ? decodedName(file) : file;
}

function fileNameOf({ kind, name }: Extract<Leftover, { kind: Kind }>): string {
  return kind === "home" || kind === "run-folder" ? encodeURIComponent(name) : name;
}

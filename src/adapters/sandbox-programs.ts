import { readdir, realpath } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

const SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|nix\/store)(?:\/|$)/;
const NOWHERE = ["/", "/home", "/root", "/etc", "/tmp", "/var", "/run", "/proc", "/dev", "/sys"];

/** Folders of PATH that are not the system's, and where their links lead: there an installed program keeps its parts. */
export async function programPaths(path: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const entry of new Set(path.split(delimiter))) {
    const folder = await folderOf(entry);
    if (folder === undefined) continue;
    found.add(entry).add(folder);
    for (const part of await linkTargets(folder)) found.add(part);
  }
  return [...found];
}

async function folderOf(entry: string): Promise<string | undefined> {
  if (!isAbsolute(entry) || SYSTEM.test(entry)) return undefined;
  const folder = await realpath(entry).catch(() => undefined);
  const usable = folder !== undefined && !SYSTEM.test(folder) && !NOWHERE.includes(folder);
  return usable ? folder : undefined;
}

async function linkTargets(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const targets = await Promise.all(
    links.map(({ name }) => realpath(join(folder, name)).catch(() => undefined)),
  );
  return targets.flatMap((target) => (target === undefined ? [] : partsOf(target)));
}

/** A package of npm needs its neighbours; of anything else the file alone is shown, as its folder may be someone's home. */
function partsOf(target: string): readonly string[] {
  if (SYSTEM.test(target)) return [];
  const [packages] = /^.*?\/node_modules(?=\/)/.exec(target) ?? [];
  return [packages ?? target];
}

import { realpath, readdir, lstat, readlink } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, delimiter } from "node:path";
import { isMissing } from "../host/file-errors.ts";

const SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|nix\/store)(?:\/|$)/;
const NOWHERE = ["/", "/home", "/root", "/etc", "/tmp", "/var", "/run", "/proc", "/dev", "/sys"];

const PROGRAMS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/**
 * Programs need these settings of the host: names, certificates, libraries, the time. There are no passwords and no keys among
 * them.
 */
const SETTINGS = [
  "passwd",
  "group",
  "hosts",
  "host.conf",
  "resolv.conf",
  "nsswitch.conf",
  "gai.conf",
  "services",
  "protocols",
  "ssl",
  "ca-certificates",
  "ca-certificates.conf",
  "pki",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "os-release",
  "debian_version",
  "localtime",
  "timezone",
  "mime.types",
  "terminfo",
  "fonts",
  "java",
  "python3",
  "perl",
].map((name) => `/etc/${name}`);

export interface ShownPaths {
  readonly paths: readonly string[];
  /** The app's own folder would be seen through `paths` under these names. */
  readonly hidden: readonly string[];
}

/** Picks the paths that may be shown without the app's own folder. Names prove nothing, because either side may be a link. */
export async function shownPaths(wanted: readonly string[], dataDir: string): Promise<ShownPaths> {
  const data = await realOf(resolve(dataDir));
  const paths: string[] = [];
  const hidden = new Set([resolve(dataDir), data]);
  for (const path of wanted) {
    const real = await realOf(path);
    if (isWithin(data, real)) continue;
    paths.push(path);
    if (isWithin(real, data)) hidden.add(join(path, relative(real, data)));
  }
  return { paths, hidden: [...hidden] };
}

/** Finds the folders of PATH that are not the system's, and the targets of their links, where an installed program keeps its parts. */
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

/** Makes the arguments that show the system's programs and settings, read-only. */
export async function systemBinds(): Promise<readonly string[]> {
  const binds = [...PROGRAMS.map(programBind), ...SETTINGS.map(settingBind)];
  return (await Promise.all(binds)).flat();
}

/** A path that does not exist yet is its own real path. */
function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
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

/** A package of npm needs its neighbours. For anything else only the file is shown, because its folder may be someone's home. */
function partsOf(target: string): readonly string[] {
  if (SYSTEM.test(target)) return [];
  const [packages] = /^.*?\/node_modules(?=\/)/.exec(target) ?? [];
  return [packages ?? target];
}

async function programBind(path: string): Promise<readonly string[]> {
  const found = await lstatOrNothing(path);
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", await readlink(path), path];
  return ["--ro-bind", path, path];
}

/** A link may lead out of what is shown, as resolv.conf does on many hosts. So its target is shown in its place. */
async function settingBind(path: string): Promise<readonly string[]> {
  const target = await realpath(path).catch(() => undefined);
  return target === undefined ? [] : ["--ro-bind", target, path];
}

async function lstatOrNothing(path: string) {
  return lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

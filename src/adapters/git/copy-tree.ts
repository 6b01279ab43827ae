import { constants, type Dirent } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  symlink,
  utimes,
} from "node:fs/promises";
import { dirname, join } from "node:path";

// A clone where the file system can, so that neither side costs space; never a link that both would write to.
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** Copies what is missing in `to`; what is there stays. Only folders, files and symbolic links: nothing else can be copied. */
export async function copyTree(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  await mkdir(dirname(to), { recursive: true });
  if (stats.isDirectory()) await copyFolder(from, to);
  else if (stats.isSymbolicLink()) await copyLink(from, to);
  else if (stats.isFile()) await copyPlainFile(from, to);
}

async function copyFolder(from: string, to: string): Promise<void> {
  const { mode } = await lstat(from);
  // A link that the commit has in this place may lead anywhere on the host.
  if (!(await unlessThere(mkdir(to))) && !(await lstat(to)).isDirectory()) return;
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => copyEntry(entry, join(from, entry.name), join(to, entry.name))),
  );
  // Last: a folder that setup made read-only has to be filled first.
  await chmod(to, mode & 0o7777);
}

async function copyEntry(entry: Dirent, from: string, to: string): Promise<void> {
  if (entry.isDirectory()) await copyFolder(from, to);
  else if (entry.isSymbolicLink()) await copyLink(from, to);
  else if (entry.isFile()) await copyPlainFile(from, to);
}

async function copyPlainFile(from: string, to: string): Promise<void> {
  if (!(await unlessThere(copyFile(from, to, COPY)))) return;
  const { atime, mtime } = await lstat(from);
  await utimes(to, atime, mtime);
}

async function copyLink(from: string, to: string): Promise<void> {
  await unlessThere(symlink(await readlink(from), to));
}

async function unlessThere(made: Promise<void>): Promise<boolean> {
  return made.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
      throw error;
    },
  );
}

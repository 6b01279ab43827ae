import { chmod, lstat, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Aside } from "../../ports/host.ts";
import { STORE_FILES } from "../store/open-store.ts";
import { ASIDE } from "./aside.ts";

const FOLDERS = [
  "home",
  "trash",
  "workspaces",
  "mirrors",
  "spares",
  "setups",
  "runs",
  "logs",
  "homes",
  "tmp",
  "store",
];
/** A database keeps files with these endings beside its own while it writes. */
const DATABASE_ENDINGS = ["-journal", "-wal", "-shm"];
const IN_STORE = [...STORE_FILES, "wavetrain.db-journal", "owner.pid"].concat(
  DATABASE_ENDINGS.map((end) => `owner.lock${end}`),
);
const FILES = ["control.json", ...IN_STORE.map((name) => join("store", name))];

/** Puts aside things that have the name of a file or folder of ours but are of another kind, before anybody uses the data folder. */
export async function prepareDataFolder(dataDir: string, aside: Aside): Promise<void> {
  await makePlace(join(dataDir, ASIDE));
  for (const name of FOLDERS) {
    const path = join(dataDir, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory() === true) await unlock(path, stats.mode);
    else if (await isThere(path)) await aside.put(path, "it is not a folder");
  }
  for (const name of FILES) {
    const path = join(dataDir, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() !== true && (await isThere(path))) await aside.put(path, "it is no file");
  }
}

/** Renames a file that has the name of the folder for things that are in the way. */
async function makePlace(place: string): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  // If that fails too, everything stays where it is and is only reported.
  if (stats?.isDirectory() === false) await rename(place, `${place}.old`).catch(() => undefined);
}

const OWNER_MODE = 0o700;

/** Gives us back permissions that somebody took away: the content of the folder is fine. */
async function unlock(path: string, mode: number): Promise<void> {
  if ((mode & OWNER_MODE) === OWNER_MODE) return;
  // If we are not allowed to do that, whoever needs the folder says what is wrong.
  await chmod(path, mode | OWNER_MODE).catch(() => undefined);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

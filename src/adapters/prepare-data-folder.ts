import { chmod, lstat, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Aside } from "../ports/aside.ts";
import { ASIDE } from "./aside-notes.ts";
import { STORE_FILES } from "./store/open-store.ts";

const FOLDERS = [
  ...["home", "trash", "workspaces", "mirrors", "spares", "setups"],
  ...["runs", "logs", "homes", "tmp", "store"],
];
/** What a database keeps beside its file while it writes. */
const BESIDE = ["-journal", "-wal", "-shm"];
const IN_STORE = [...STORE_FILES, "wavetrain.db-journal", "owner.pid"].concat(
  BESIDE.map((end) => `owner.lock${end}`),
);
const FILES = ["control.json", ...IN_STORE.map((name) => join("store", name))];

/** What has the name of one of ours and cannot be it goes out of the way, before anybody looks for his own. */
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

/** Where a file bears the name of the place for what is in the way, it gets another. */
async function makePlace(place: string): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  // Where that cannot be done either, everything stays where it is and is named.
  if (stats?.isDirectory() === false) await rename(place, `${place}.old`).catch(() => undefined);
}

const OURS_TO_USE = 0o700;

/** Somebody took our own permissions away: what is inside is fine. */
async function unlock(path: string, mode: number): Promise<void> {
  if ((mode & OURS_TO_USE) === OURS_TO_USE) return;
  // Where that is not ours to do, whoever needs the folder says what is wrong.
  await chmod(path, mode | OURS_TO_USE).catch(() => undefined);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

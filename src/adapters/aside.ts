import { appendFile, lstat, mkdir, rename } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Instant } from "../domain/ids.ts";
import type { Oddity } from "../domain/oddity.ts";
import type { Aside } from "../ports/aside.ts";
import { ASIDE, NOTES } from "./aside-notes.ts";
import { isMissing } from "./git/is-missing.ts";
import { removeFolder } from "./git/remove-folder.ts";

export interface AsideOptions {
  readonly dataDir: string;
  readonly now: () => Instant;
  /** Hears of each thing once. */
  readonly say: (oddity: Oddity) => void;
}

/** All that is moved in one life of the app is in one folder, below the path that it had. */
export function createAside(options: AsideOptions): Aside {
  const dataDir = resolve(options.dataDir);
  const when = new Date(options.now()).toISOString().replaceAll(":", "-");
  const folder = join(dataDir, ASIDE, when);
  const said = new Set<string>();
  const put = async (given: string, why: string): Promise<string | undefined> => {
    const path = relative(dataDir, resolve(given));
    const room = await moveInto(folder, { dataDir, path });
    if (room === undefined && (said.has(path) || (await isGone(given)))) return undefined;
    said.add(path);
    const movedTo = room === undefined ? undefined : join(relative(dataDir, room), path);
    const oddity = { path, why, movedTo };
    await note(room ?? folder, oddity);
    options.say(oddity);
    return room === undefined ? undefined : join(room, path);
  };
  const remove = async (path: string): Promise<void> => {
    await removeFolder(path).catch((error: unknown) =>
      put(path, `it cannot be deleted (${codeOf(error)})`),
    );
  };
  return { put, remove };
}

/** For whoever only reads the data folder: what is odd is passed over. */
export const PASSED_OVER: Aside = { put: () => Promise.resolve(undefined), remove: removeFolder };

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Answers the folder below which it is now. */
async function moveInto(
  folder: string,
  { dataDir, path }: { readonly dataDir: string; readonly path: string },
): Promise<string | undefined> {
  try {
    const room = await roomFor(path, folder);
    await mkdir(dirname(join(room, path)), { recursive: true, mode: 0o700 });
    await rename(join(dataDir, path), join(room, path));
    return room;
  } catch {
    // Busy, immutable or somebody else's: it is named instead.
    return undefined;
  }
}

/** The name may be taken, and so may a folder on the way to it, by a file: in the next folder both are free. */
async function roomFor(path: string, folder: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const room = n === 1 ? folder : `${folder}.${n}`;
    if (await isGone(join(room, path))) return room;
  }
}

function isGone(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isMissing);
}

/** For `wavetrain doctor` and later lives of the app. */
async function note(folder: string, oddity: Oddity): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await appendFile(join(folder, NOTES), `${JSON.stringify(oddity)}\n`);
  } catch {
    // A disk that takes no note takes nothing else either: the log has it.
  }
}

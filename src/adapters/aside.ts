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
    const movedTo = await moveTo(folder, { dataDir, path });
    if (movedTo === undefined && (said.has(path) || (await isGone(given)))) return undefined;
    said.add(path);
    const oddity = { path, why, movedTo };
    await note(folder, oddity);
    options.say(oddity);
    return movedTo === undefined ? undefined : join(dataDir, movedTo);
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

async function moveTo(
  folder: string,
  { dataDir, path }: { readonly dataDir: string; readonly path: string },
): Promise<string | undefined> {
  try {
    const to = await freeName(join(folder, path));
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(join(dataDir, path), to);
    return relative(dataDir, to);
  } catch {
    // Busy, immutable or somebody else's: it is named instead.
    return undefined;
  }
}

async function freeName(path: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? path : `${path}.${n}`;
    if (await isGone(name)) return name;
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

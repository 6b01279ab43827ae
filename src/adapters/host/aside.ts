import { appendFile, lstat, mkdir, rename, readFile, readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import * as z from "zod";
import type { Instant } from "../../domain/ids.ts";
import type { Aside } from "../../ports/host.ts";
import { codeOf, isMissing } from "./file-errors.ts";
import { removeFolder } from "./folders.ts";
import type { Oddity } from "./oddity.ts";

export interface AsideOptions {
  readonly dataDir: string;
  readonly now: () => Instant;
  /** This is called once for each thing. */
  readonly say: (oddity: Oddity) => void;
}

/** Things that are in the way go into this folder below the data folder. */
export const ASIDE = "aside";
/** This file has one line for each thing; it is in the folder of the life that moved them. */
const NOTES = "notes.jsonl";

const noteSchema = z.object({
  path: z.string(),
  why: z.string(),
  movedTo: z.string().optional(),
});

/** Moves everything of one life of the app into one folder, where each thing keeps the path that it had. */
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

/** Serves those who only read the data folder: it passes odd things over. */
export const PASSED_OVER: Aside = { put: () => Promise.resolve(undefined), remove: removeFolder };

/** Lists things that were put aside or could not be moved, and that are still there. */
export async function readAsideNotes(dataDir: string): Promise<readonly Oddity[]> {
  const lives = await readdir(join(dataDir, ASIDE)).catch(() => []);
  const notes = (await Promise.all(lives.toSorted().map((life) => notesOf(dataDir, life)))).flat();
  const there = await Promise.all(
    notes.map(({ path, movedTo }) => isThere(join(dataDir, movedTo ?? path))),
  );
  const left = new Map(
    notes.filter((_, n) => there[n]).map((note) => [note.movedTo ?? note.path, note]),
  );
  return [...left.values()];
}

/** Returns the folder below which the thing is now, or undefined when it cannot be moved. */
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
    // The thing is busy, immutable or somebody else's, so it is only reported.
    return undefined;
  }
}

/** Finds a folder where the path is free: the name may be taken, and a file may be in the place of a folder on the way to it. */
async function roomFor(path: string, folder: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const room = n === 1 ? folder : `${folder}.${n}`;
    if (await isGone(join(room, path))) return room;
  }
}

function isGone(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isMissing);
}

/** Writes the note for `wavetrain doctor` and later lives of the app. */
async function note(folder: string, oddity: Oddity): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await appendFile(join(folder, NOTES), `${JSON.stringify(oddity)}\n`);
  } catch {
    // A disk that takes no note takes nothing else either; the log has the message.
  }
}

async function notesOf(dataDir: string, life: string): Promise<readonly Oddity[]> {
  const text = await readFile(join(dataDir, ASIDE, life, NOTES), "utf8").catch(() => undefined);
  const movedTo = join(ASIDE, life);
  // Somebody has put it there, or the notes are gone.
  if (text === undefined) return [{ path: movedTo, why: "nobody has noted why", movedTo }];
  return text.split("\n").flatMap((line) => noteIn(line));
}

function noteIn(line: string): readonly Oddity[] {
  try {
    const { path, why, movedTo } = noteSchema.parse(JSON.parse(line));
    return [{ path, why, movedTo }];
  } catch {
    // The line was cut off by a crash, or is the empty one at the end of the file.
    return [];
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

import { lstat, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Oddity } from "../domain/oddity.ts";

/** Where things that are in the way go, below the data folder. */
export const ASIDE = "aside";
/** One line for each thing, in the folder of the life that moved it. */
export const NOTES = "notes.jsonl";

const noteSchema = z.object({
  path: z.string(),
  why: z.string(),
  movedTo: z.string().optional(),
});

/** What was put aside and is still there, and what could not be moved and is still there. */
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
    // Cut off by a crash, or the end of the file.
    return [];
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

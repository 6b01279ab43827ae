import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import {
  access,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import type { Files } from "../../ports/host.ts";
import { AppError } from "../../shared/app-error.ts";
import { isMissing } from "./file-errors.ts";

/** This is longer than any event that we read. A program that prints no line break must not fill the memory. */
const MAX_LINE_CHARS = 2 * 1_048_576;
/** A link is not followed, and nobody waits for the other end of a pipe. */
const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function createFiles(environment: Readonly<Record<string, string | undefined>>): Files {
  return {
    write: writeInside,
    read: readInside,
    holds: holdsInside,
    remove: (folder) => rm(folder, { recursive: true, force: true }),
    eachLine,
    readPart,
    findProgram: (name) => findProgram(name, environment.PATH ?? ""),
  };
}

/** Makes the file under another name and moves it, so that a link in its place is replaced and never written through. */
async function writeInside(folder: string, path: string, text: string): Promise<void> {
  const steps = path.split("/");
  const name = steps.pop();
  if (name === undefined || isAbsolute(path) || steps.includes("..")) {
    throw new AppError("process-failed", `cannot write ${path} in ${folder}`);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let parent = folder;
  for (const step of steps) {
    parent = join(parent, step);
    await makeRealFolder(parent);
  }
  const fresh = join(parent, `.${randomUUID()}`);
  await writeFile(fresh, text, { flag: "wx", mode: 0o600 });
  await replace(fresh, join(parent, name));
}

async function makeRealFolder(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) await rm(path);
  await mkdir(path, { mode: 0o700 });
}

async function replace(fresh: string, path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() === true) await rm(path, { recursive: true });
  await rename(fresh, path);
}

/** Reads a file of a folder that was a runner's: no link may bring anything outside of it to light. */
async function readInside(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const steps = path.split("/");
  let place = folder;
  for (const step of steps.slice(0, -1)) {
    place = join(place, step);
    const found = await lstat(place).catch(() => undefined);
    if (found?.isDirectory() !== true) return undefined;
  }
  const file = await open(join(place, steps.at(-1) ?? ""), PLAIN_FILE).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const isUsable = stats.isFile() && stats.size <= maxBytes;
    return isUsable ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

async function readPart(
  path: string,
  { from, maxBytes }: { readonly from: number; readonly maxBytes: number },
): ReturnType<Files["readPart"]> {
  const file = await open(path, PLAIN_FILE).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const length = Math.max(0, Math.min(stats.size - from, maxBytes));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return { bytes: buffer.subarray(0, bytesRead), size: stats.size };
  } finally {
    await file.close();
  }
}

async function holdsInside(
  folder: string,
  below: string,
  isNamed: (name: string) => boolean,
): Promise<boolean> {
  let place = folder;
  for (const step of below.split("/")) {
    place = join(place, step);
    const found = await lstat(place).catch(() => undefined);
    if (found?.isDirectory() !== true) return false;
  }
  // A folder that cannot be read is as good as absent: its runner could not read it either.
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some((entry) => entry.isFile() && isNamed(entry.name));
}

async function eachLine(path: string, visit: (line: string) => void): Promise<void> {
  const lines = wholeLines(visit);
  try {
    for await (const chunk of createReadStream(path, { encoding: "utf8" }))
      lines.add(String(chunk));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  lines.end();
}

/** Puts pieces of text together to lines, and leaves out every line that is longer than the limit. */
function wholeLines(visit: (line: string) => void): {
  add(piece: string): void;
  end(): void;
} {
  let line = "";
  let tooLong = false;
  const finish = (): void => {
    if (!tooLong && line !== "") visit(line);
    line = "";
    tooLong = false;
  };
  const append = (piece: string): void => {
    if (tooLong) return;
    line += piece;
    tooLong = line.length > MAX_LINE_CHARS;
    if (tooLong) line = "";
  };
  return {
    add(text) {
      const pieces = text.split("\n");
      for (const [index, piece] of pieces.entries()) {
        append(piece);
        if (index < pieces.length - 1) finish();
      }
    },
    end: finish,
  };
}

async function findProgram(name: string, path: string): Promise<string | undefined> {
  const places = isAbsolute(name)
    ? [name]
    : path
        .split(delimiter)
        .filter((folder) => isAbsolute(folder))
        .map((folder) => join(folder, name));
  for (const place of places)
    if (await isExecutable(place)) return isAbsolute(name) ? name : wholePath(place);
  return undefined;
}

/** A folder of PATH may be reached through a link. In a sandbox only its real place has what the links in it lead to. */
async function wholePath(file: string): Promise<string> {
  return join(await realpath(dirname(file)), basename(file));
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

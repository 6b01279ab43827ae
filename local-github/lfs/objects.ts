import { createHash } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ObjectName, Repository } from "../model/repository.ts";

export function nameOf(content: Buffer): ObjectName {
  return { oid: createHash("sha256").update(content).digest("hex"), size: content.length };
}

/** Writes the text that git has in the content's place. */
export function pointerTo(content: Buffer): string {
  const { oid, size } = nameOf(content);
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}

/** A fork shares the objects of what it was made from, and a copy those of its original, which stays as it is. */
export function placesOf({ dir, forkOf, copyOf }: Repository): readonly string[] {
  const original = copyOf === null ? [] : [copyOf, join(copyOf, ".git")];
  return [dir, ...(forkOf === null ? [] : placesOf(forkOf)), ...original];
}

function pathIn(dir: string, oid: string): string {
  return join(dir, "lfs", "objects", oid.slice(0, 2), oid.slice(2, 4), oid);
}

export async function findObject(
  repository: Repository,
  { oid, size }: ObjectName,
): Promise<string | undefined> {
  for (const place of placesOf(repository)) {
    const found = await stat(pathIn(place, oid)).catch(() => undefined);
    if (found?.size === size) return pathIn(place, oid);
  }
  return undefined;
}

export async function readObject(
  repository: Repository,
  name: ObjectName,
): Promise<Buffer | undefined> {
  const path = await findObject(repository, name);
  return path === undefined ? undefined : readFile(path);
}

/** Keeps the content and returns the pointer to it. */
export async function keepObject(repository: Repository, content: Buffer): Promise<string> {
  const path = pathIn(repository.dir, nameOf(content).oid);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return pointerTo(content);
}

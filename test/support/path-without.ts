import { existsSync } from "node:fs";
import { mkdtemp, readdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { inject } from "vitest";

/** A PATH on which everything is but this program, whether the machine has it or not. */
export async function pathWithout(program: string): Promise<string> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const others = folders.map(async (folder) =>
    existsSync(join(folder, program)) ? othersIn(folder, program) : folder,
  );
  return (await Promise.all(others)).join(delimiter);
}

async function othersIn(folder: string, program: string): Promise<string> {
  const copy = await mkdtemp(join(inject("runFolder"), "path-"));
  const names = (await readdir(folder)).filter((name) => name !== program);
  await Promise.all(names.map((name) => symlink(join(folder, name), join(copy, name))));
  return copy;
}

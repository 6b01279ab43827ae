import { copyFile, stat, utimes } from "node:fs/promises";

/**
 * Copies an index so that it still notices a file that changed right after it was written: git trusts an entry only when it
 * is older than the index file, and a copy would look newer than it is.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const notNewer = Math.floor(mtimeMs - 1) / 1000;
  await utimes(to, notNewer, notNewer);
}

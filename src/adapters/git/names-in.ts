import { readdir } from "node:fs/promises";
import { isMissing } from "./is-missing.ts";

/** What a folder holds; nothing when there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Deletes a folder, also one in which a runner took our own permissions away. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // Whatever was in the way is reported by the second attempt.
    await unlockFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function unlockFolders(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await unlockFolders(join(path, entry.name));
}

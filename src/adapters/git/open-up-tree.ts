import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Makes way for git: pipes, sockets and devices go, since they hold no work; what is closed to its owner is opened. */
export async function openUpTree(path: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isDirectory()) {
    if ((stats.mode & 0o700) !== 0o700) await chmod(path, (stats.mode & 0o777) | 0o700);
    // Names that are not UTF-8 come out changed and lead nowhere.
    const below = (await readdir(path)).filter((name) => !name.includes("\uFFFD"));
    await Promise.all(below.map((name) => openUpTree(join(path, name))));
  } else if (stats.isFile()) {
    if ((stats.mode & 0o400) === 0) await chmod(path, (stats.mode & 0o777) | 0o400);
  } else if (!stats.isSymbolicLink()) await rm(path, { force: true });
}

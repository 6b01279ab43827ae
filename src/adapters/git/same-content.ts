import { lstat, readFile } from "node:fs/promises";

/** False for whatever is no plain file: reading a pipe that a runner left would never end. */
export async function hasSameContent(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (a?.isFile() !== true || b?.isFile() !== true || a.size !== b.size) return false;
  const [first, second] = await Promise.all([readFile(one), readFile(other)]);
  return first.equals(second);
}

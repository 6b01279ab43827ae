import type { IsDirectory } from "./compile-pattern.ts";

/**
 * What the folders of a tree tell about a path. Of any other path nothing is said, though it may be a file: it could
 * become a folder, and a claim is never read narrower than it may turn out.
 */
export function knownDirectory(directories: ReadonlySet<string> | undefined): IsDirectory {
  return (path) => (directories?.has(path) ? true : undefined);
}

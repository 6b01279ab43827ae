/**
 * Whether two changes touch no common directory. Files alone are too fine: one change may move the directory that the other
 * adds a file to. This decides what is verified together, never what is verified.
 */
export function pathsApart(a: readonly string[], b: readonly string[]): boolean {
  const [inA, inB] = [new Set(a.map(directoryOf)), new Set(b.map(directoryOf))];
  if ([...inA].some((directory) => inB.has(directory))) return false;
  return !a.some((path) => isAbove(path, b)) && !b.some((path) => isAbove(path, a));
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** A file that one change makes where the other has a directory. */
function isAbove(path: string, others: readonly string[]): boolean {
  return others.some((other) => other.startsWith(`${path}/`));
}

/**
 * Whether two changes touch no common path, and neither makes a file where the other has a directory. That one moves a directory
 * which the other adds a file to does not matter: directory-rename detection is off, so together they give the tree that they give
 * one after the other, and that tree is what is verified. This decides what is verified together, never what is verified.
 */
export function pathsApart(a: readonly string[], b: readonly string[]): boolean {
  return !anyWithin(a, b) && !anyWithin(b, a);
}

function anyWithin(paths: readonly string[], others: readonly string[]): boolean {
  const taken = new Set(others);
  return paths.some((path) => selfAndAbove(path).some((one) => taken.has(one)));
}

/** `a/b/c`, `a`, `a/b`. */
function selfAndAbove(path: string): readonly string[] {
  const above = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  return [path, ...above];
}

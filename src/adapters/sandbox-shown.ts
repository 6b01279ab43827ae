import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";

export interface ShownPaths {
  readonly paths: readonly string[];
  /** Every name under which the app's own folder would be seen through them. */
  readonly hidden: readonly string[];
}

/** What of these may be shown without the app's own folder. Names prove nothing: either side may be a link. */
export async function shownPaths(wanted: readonly string[], dataDir: string): Promise<ShownPaths> {
  const data = await realOf(resolve(dataDir));
  const paths: string[] = [];
  const hidden = new Set([resolve(dataDir), data]);
  for (const path of wanted) {
    const real = await realOf(path);
    if (isWithin(data, real)) continue;
    paths.push(path);
    if (isWithin(real, data)) hidden.add(join(path, relative(real, data)));
  }
  return { paths, hidden: [...hidden] };
}

/** What is not there yet has no other name. */
function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

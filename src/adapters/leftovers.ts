import type { Aside } from "../ports/aside.ts";
import type { Leftovers } from "../ports/leftovers.ts";
import { createHostLeftovers } from "./host-leftovers.ts";

const OF_HOST: readonly string[] = ["log", "home", "run-folder", "tmp"];

/** Everything below the data folder: git's side of it and what runs left. */
export function createLeftovers(dataDir: string, git: Leftovers, aside: Aside): Leftovers {
  const host = createHostLeftovers(dataDir, aside);
  return {
    list: async () => (await Promise.all([git.list(), host.list()])).flat(),
    remove: (leftover) =>
      OF_HOST.includes(leftover.kind) ? host.remove(leftover) : git.remove(leftover),
    compact: (repo) => git.compact(repo),
  };
}

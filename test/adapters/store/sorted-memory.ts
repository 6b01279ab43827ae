import type { RepoMemory } from "../../../src/ports/store.ts";

/** The same for equal contents, whatever the order of the rows. */
export function sortedMemory(memory: RepoMemory): RepoMemory {
  const by = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
    [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return {
    tasks: by(memory.tasks, ({ id }) => id),
    runs: by(memory.runs, ({ id }) => id),
    entries: by(memory.entries, ({ id }) => id),
    intents: by(memory.intents, ({ key }) => key),
    holds: by(memory.holds, ({ task }) => task),
    fence: memory.fence,
  };
}

import type { RepoMemory } from "../../../src/ports/store.ts";

/** The same for equal memories, whatever the order of their rows. */
export function sortedMemory(memory: RepoMemory): RepoMemory {
  const by = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
    [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return {
    tasks: by(memory.tasks, (task) => task.id),
    runs: by(memory.runs, (run) => run.id),
    explorations: by(memory.explorations, (one) => one.id),
    entries: by(memory.entries, (entry) => entry.id),
    intents: by(memory.intents, (intent) => intent.key),
    trains: by(memory.trains, (train) => train.id),
    holds: by(memory.holds, (hold) => hold.task),
    fence: memory.fence,
  };
}

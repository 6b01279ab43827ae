import type { RecordedEvent, RepoMemory } from "../../ports/store.ts";
import { entryFromRow } from "./entry-row.ts";
import { intentFromRow } from "./intent-row.ts";
import { project } from "./project.ts";
import type { Write } from "./project.ts";
import { runFromRow } from "./run-row.ts";
import type { ProjectedTables } from "./tables.ts";
import { taskFromRow } from "./task-row.ts";

type Replayed = { readonly [T in keyof ProjectedTables]: Map<string, ProjectedTables[T]> };

/** What the tables hold after these events, computed from the events alone. */
export function replay(events: readonly RecordedEvent[]): RepoMemory {
  const tables: Replayed = {
    tasks: new Map(),
    runs: new Map(),
    entries: new Map(),
    intents: new Map(),
  };
  for (const event of events) apply(tables, project(event.repo, event.change));
  return {
    tasks: [...tables.tasks.values()].map(taskFromRow),
    runs: [...tables.runs.values()].map(runFromRow),
    entries: [...tables.entries.values()].map(entryFromRow),
    intents: [...tables.intents.values()].map(intentFromRow),
  };
}

function apply(tables: Replayed, write: Write): void {
  const table: Map<string, object> = tables[write.table];
  switch (write.kind) {
    case "insert":
      table.set(write.row.id, write.row);
      return;
    case "update":
      table.set(write.id, { ...table.get(write.id), ...write.set });
      return;
    case "delete":
      table.delete(write.id);
      return;
  }
}

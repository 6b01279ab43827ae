import { withClaims } from "../../../domain/task.ts";
import type { RecordedEvent, RepoMemory } from "../../../ports/store.ts";
import { canonicalJson } from "../rows/columns.ts";
import { project } from "../rows/project.ts";
import type { ProjectedTables } from "../rows/tables.ts";
import { entryFromRow, trainFromRow } from "../rows/train-rows.ts";
import {
  claimsFrom,
  holdFromRow,
  intentFromRow,
  runFromRow,
  taskFromRow,
} from "../rows/work-rows.ts";
import type { Advance, Extend, Write } from "../rows/write.ts";

type Replayed = { readonly [T in keyof ProjectedTables]: Map<string, ProjectedTables[T]> };

/** Computes from the events of one repository alone what the tables hold after them. */
export function replay(events: readonly RecordedEvent[]): RepoMemory {
  const tables: Replayed = {
    tasks: new Map(),
    runs: new Map(),
    entries: new Map(),
    intents: new Map(),
    trains: new Map(),
    verdicts: new Map(),
    runnerLifts: new Map(),
    claims: new Map(),
    fences: new Map(),
    commands: new Map(),
  };
  for (const { repo, change } of events) {
    for (const write of project(repo, change)) apply(tables, write);
  }
  return {
    tasks: [...tables.tasks.values()].map(taskFromRow),
    runs: [...tables.runs.values()].map(runFromRow),
    entries: [...tables.entries.values()].map(entryFromRow),
    intents: [...tables.intents.values()].map(intentFromRow),
    trains: [...tables.trains.values()].map(trainFromRow),
    holds: [...tables.claims.values()].map(holdFromRow),
    fence: Math.max(0, ...[...tables.fences.values()].map(({ fence }) => fence)),
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
    case "release":
      table.delete(write.id);
      return;
    case "extend":
      extend(tables, write);
      return;
    case "advance":
      advance(tables, write);
      return;
  }
}

function extend({ claims }: Replayed, { id, add }: Extend): void {
  const held = claims.get(id);
  if (held === undefined) return;
  claims.set(id, { ...held, claims: canonicalJson(withClaims(claimsFrom(held.claims), add)) });
}

/** The number never goes down: a summary comes later in the log than events of other tasks that took higher numbers. */
function advance({ fences }: Replayed, { id, to }: Advance): void {
  fences.set(id, { id, fence: Math.max(to, fences.get(id)?.fence ?? 0) });
}

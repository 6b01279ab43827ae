import { withClaims } from "../../../domain/task.ts";
import type { RepoRenamed } from "../../../domain/change.ts";
import type { RecordedEvent, RepoMemory } from "../../../ports/store.ts";
import { canonicalJson } from "../rows/columns.ts";
import { project } from "../rows/project.ts";
import { explorationFromRow } from "../rows/exploration-rows.ts";
import { NAME_PARTS, renamedId, renamedKey, renamedSpec } from "../rows/renamed-rows.ts";
import type { NamePart } from "../rows/renamed-rows.ts";
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
    explorations: new Map(),
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
    explorations: [...tables.explorations.values()].map(explorationFromRow),
    entries: [...tables.entries.values()].map(entryFromRow),
    intents: [...tables.intents.values()].map(intentFromRow),
    trains: [...tables.trains.values()].map(trainFromRow),
    holds: [...tables.claims.values()].map(holdFromRow),
    fence: Math.max(0, ...[...tables.fences.values()].map(({ fence }) => fence)),
  };
}

function apply(tables: Replayed, write: Write): void {
  if (write.kind === "move") {
    move(tables, write.renamed);
    return;
  }
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

/** A run's spec has changed its hash where its task's has. */
function move(tables: Replayed, renaming: RepoRenamed): void {
  const hashes = new Map<string, string>();
  for (const [id, { repo, ...task }] of tables.tasks) {
    if (repo !== renaming.from) continue;
    hashes.set(`${renamedId(id, renaming)} ${task.specHash}`, renamedSpec(task, renaming).specHash);
  }
  for (const [name, rows] of Object.entries(tables)) {
    const parts: Readonly<Record<string, NamePart>> = NAME_PARTS[name as keyof Replayed];
    const table: Map<string, object> = rows;
    for (const row of [...table.values()] as readonly Row[]) {
      if ((row.repo ?? row.id) !== renaming.from) continue;
      const fresh = renamedRow(row, parts, renaming);
      const hash = hashes.get(`${fresh.task ?? fresh.id} ${row.specHash ?? ""}`);
      table.delete(row.id);
      table.set(fresh.id, hash === undefined ? fresh : { ...fresh, specHash: hash });
    }
  }
}

interface Row {
  readonly id: string;
  readonly repo?: string;
  readonly task?: string;
  readonly specHash?: string;
}

function renamedRow(row: Row, parts: Readonly<Record<string, NamePart>>, to: RepoRenamed): Row {
  const columns: readonly [string, unknown][] = Object.entries(row);
  const renamed = columns.map(([name, value]) => {
    if (typeof value !== "string") return [name, value];
    const part = parts[name];
    if (part === "repo" || part === "id") return [name, renamedId(value, to)];
    if (part === "key") return [name, renamedKey(value, to)];
    return [name, part === "spec" ? renamedSpec({ spec: value, specHash: "" }, to).spec : value];
  });
  return Object.fromEntries(renamed) as Row;
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

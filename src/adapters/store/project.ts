import type { Change } from "../../domain/change.ts";
import type { Instant, RepoName } from "../../domain/ids.ts";
import { canonicalJson } from "./canonical-json.ts";
import { entryRow, evidenceColumn } from "./entry-row.ts";
import type { EntryRow } from "./entry-row.ts";
import { intentRow } from "./intent-row.ts";
import { outcomeColumns, runRow, usageColumn } from "./run-row.ts";
import type { RunRow } from "./run-row.ts";
import type { ProjectedTables } from "./tables.ts";
import { taskRow } from "./task-row.ts";

interface Insert<T extends keyof ProjectedTables> {
  readonly kind: "insert";
  readonly table: T;
  readonly row: ProjectedTables[T];
}

interface Update<T extends keyof ProjectedTables> {
  readonly kind: "update";
  readonly table: T;
  readonly id: string;
  /** The states in which the row must be found. */
  readonly from: readonly string[] | "any";
  readonly set: Partial<ProjectedTables[T]>;
}

interface Delete {
  readonly kind: "delete";
  readonly table: "intents";
  readonly id: string;
}

/** What one change does to one row. */
export type Write =
  { [T in keyof ProjectedTables]: Insert<T> | Update<T> }[keyof ProjectedTables] | Delete;

/** The meaning of a change for the tables: the only place that knows it, for writing and for replaying alike. */
export function project(repo: RepoName, change: Change): Write {
  return "at" in change ? projectStep(change) : projectAddition(repo, change);
}

/** The id of the task, run or entry that is written, or the key of the intent. */
export function subjectOf(write: Write): string {
  return write.kind === "insert" ? write.row.id : write.id;
}

type ChangeOf<K extends Change["kind"]> = Extract<Change, { readonly kind: K }>;
type Step = Extract<Change, { readonly at: Instant }>;

function projectAddition(repo: RepoName, change: Exclude<Change, Step>): Write {
  switch (change.kind) {
    case "task-added":
      return { kind: "insert", table: "tasks", row: taskRow(change.task) };
    case "run-queued":
      return { kind: "insert", table: "runs", row: runRow(repo, change.run) };
    case "entry-added":
      return { kind: "insert", table: "entries", row: entryRow(change.entry) };
    case "intent-opened":
      return { kind: "insert", table: "intents", row: intentRow(change.intent) };
  }
}

function projectStep(change: Step): Write {
  switch (change.kind) {
    case "task-respecified":
    case "task-moved":
    case "task-explained":
      return projectTask(change);
    case "run-started":
    case "run-finished":
      return projectRun(change);
    case "entry-moved":
      return projectEntry(change);
    case "intent-settled":
      return { kind: "delete", table: "intents", id: change.key };
  }
}

/** `changedAt` says when a task came into its state, so only a move sets it. */
function projectTask(
  change: ChangeOf<"task-respecified" | "task-moved" | "task-explained">,
): Update<"tasks"> {
  const row = { kind: "update", table: "tasks", id: change.task } as const;
  switch (change.kind) {
    case "task-respecified":
      return {
        ...row,
        from: "any",
        set: { spec: canonicalJson(change.spec), specHash: change.specHash },
      };
    case "task-explained":
      return { ...row, from: "any", set: { reason: change.reason, wave: change.wave ?? null } };
    case "task-moved": {
      const { to, reason, at } = change;
      return {
        ...row,
        from: [change.from],
        set: { ...change.set, state: to, reason, changedAt: at },
      };
    }
  }
}

function projectRun(change: ChangeOf<"run-started" | "run-finished">): Update<"runs"> {
  const row = { kind: "update", table: "runs", id: change.run } as const;
  if (change.kind === "run-started") {
    const { workspace, baseSha, logPath, at } = change;
    const set: Partial<RunRow> = { state: "running", workspace, baseSha, logPath };
    return { ...row, from: ["queued"], set: { ...set, startedAt: at, heartbeatAt: at } };
  }
  const set: Partial<RunRow> = {
    ...{ state: "finished", finishedAt: change.at },
    ...(change.usage === undefined ? {} : { usage: usageColumn(change.usage) }),
    ...(change.session === undefined ? {} : { session: change.session }),
  };
  return {
    ...row,
    from: ["queued", "running"],
    set: { ...set, ...outcomeColumns(change.outcome) },
  };
}

function projectEntry(change: ChangeOf<"entry-moved">): Update<"entries"> {
  const { evidence, ...plain } = change.set;
  const set: Partial<EntryRow> = {
    ...plain,
    ...("evidence" in change.set && { evidence: evidenceColumn(evidence) }),
    state: change.to,
    reason: change.reason,
    changedAt: change.at,
  };
  return { kind: "update", table: "entries", id: change.entry, from: [change.from], set };
}

import type { Task, TaskSpec } from "../../domain/task.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

export type TaskRow = Columns<Omit<Task, "spec">> & { readonly spec: string };

export function taskRow(task: Task): TaskRow {
  return { ...columnsOf(task), spec: canonicalJson(task.spec) };
}

export function taskFromRow(row: TaskRow): Task {
  return { ...membersOf<Omit<Task, "spec">>(row), spec: JSON.parse(row.spec) as TaskSpec };
}

import { expressionBuilder } from "kysely";
import type { Expression } from "kysely";
import type { Change } from "../../domain/change.ts";
import type { TaskId } from "../../domain/ids.ts";
import { taskId } from "../../domain/ids.ts";
import type { Tables } from "./tables.ts";

const rows = expressionBuilder<Tables>();

/** The task that a change belongs to, or how to find it: its events are folded together one day. */
export function taskOf(change: Change): TaskId | null | Expression<TaskId | null> {
  switch (change.kind) {
    case "task-added":
      return change.task.id;
    case "task-respecified":
    case "task-vouched":
    case "task-moved":
    case "task-explained":
    case "claims-extended":
      return change.task;
    case "claims-taken":
      return change.hold.task;
    case "run-queued":
      return change.run.task;
    case "run-started":
    case "agent-ended":
    case "run-finished":
      return rows.selectFrom("runs").select("task").where("id", "=", change.run).$asScalar();
    case "entry-added":
      return change.entry.task;
    case "entry-moved":
      return rows.selectFrom("entries").select("task").where("id", "=", change.entry).$asScalar();
    case "intent-opened":
      return taskId(change.intent.subject);
    case "intent-settled":
      return rows
        .selectFrom("intents")
        .select((row) => row.ref("subject").$castTo<TaskId>().as("task"))
        .where("id", "=", change.key)
        .$asScalar();
    case "command-given":
    case "command-done":
    case "train-added":
    case "train-moved":
    case "verdict-given":
    case "task-compacted":
    case "events-folded":
      return null;
  }
}

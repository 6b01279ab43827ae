import type { Change } from "../../domain/change.ts";

/** The id of the task, run or entry that the change is about, or the key of the intent. */
export function subjectOf(change: Change): string {
  if (change.kind === "events-folded") return "log";
  switch (change.kind) {
    case "task-added":
    case "task-compacted":
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
      return change.run.id;
    case "run-started":
    case "agent-ended":
    case "run-finished":
      return change.run;
    case "entry-added":
      return change.entry.id;
    case "entry-moved":
      return change.entry;
    case "train-added":
      return change.train.id;
    case "train-moved":
      return change.train;
    case "verdict-given":
      return change.verdict.tree;
    case "intent-opened":
      return change.intent.key;
    case "intent-settled":
      return change.key;
    case "command-given":
      return change.command.id;
    case "command-done":
      return change.command;
  }
}

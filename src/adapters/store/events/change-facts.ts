import { createHash } from "node:crypto";
import { expressionBuilder } from "kysely";
import type { Expression } from "kysely";
import type { Change, TaskCompacted } from "../../../domain/change.ts";
import { taskId } from "../../../domain/ids.ts";
import type { ExplorationId, Instant, TaskId } from "../../../domain/ids.ts";
import type { RecordedEvent } from "../../../ports/store.ts";
import type { Tables } from "../rows/tables.ts";

const query = expressionBuilder<Tables>();

interface Ended extends Pick<TaskCompacted, "task" | "runs" | "entries" | "explorations" | "at"> {
  /** These are all of the task's events, oldest first. */
  readonly events: readonly RecordedEvent[];
}

/** Names what the change is about: the id of a task, run or entry, or the key of an intent. */
export function subjectOf(change: Change): string {
  if (change.kind === "events-folded") return "log";
  if (change.kind === "repo-renamed") return change.to;
  switch (change.kind) {
    case "task-added":
    case "task-compacted":
      return change.task.id;
    case "task-respecified":
    case "task-vouched":
    case "task-moved":
    case "task-explained":
    case "rework-asked":
    case "claims-extended":
      return change.task;
    case "claims-taken":
      return change.hold.task;
    case "run-queued":
      return change.run.id;
    case "run-started":
    case "agent-ended":
    case "run-finished":
    case "run-rebased":
      return change.run;
    case "exploration-opened":
      return change.exploration.id;
    case "exploration-moved":
      return change.exploration;
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
    case "runner-lifted":
      return change.lift.runner;
    case "intent-opened":
      return change.intent.key;
    case "intent-closed":
      return change.key;
    case "command-given":
      return change.command.id;
    case "command-done":
      return change.command;
  }
}

/** Says when the change happened. */
export function timeOf(change: Change): Instant {
  if ("at" in change) return change.at;
  switch (change.kind) {
    case "task-added":
      return change.task.changedAt;
    case "run-queued":
      return change.run.queuedAt;
    case "exploration-opened":
      return change.exploration.openedAt;
    case "entry-added":
      return change.entry.enqueuedAt;
    case "intent-opened":
      return change.intent.openedAt;
    case "command-given":
      return change.command.at;
    case "train-added":
      return change.train.changedAt;
    case "verdict-given":
      return change.verdict.at;
    case "runner-lifted":
      return change.lift.at;
    case "claims-taken":
      return change.hold.takenAt;
  }
}

/** Says which task a change belongs to, or gives a query that finds it. The events of one task are later folded together. */
export function taskOf(change: Change): TaskId | null | Expression<TaskId | null> {
  switch (change.kind) {
    case "task-added":
      return change.task.id;
    case "task-respecified":
    case "task-vouched":
    case "task-moved":
    case "task-explained":
    case "rework-asked":
    case "claims-extended":
      return change.task;
    case "claims-taken":
      return change.hold.task;
    case "run-queued":
      return change.run.task;
    case "run-started":
    case "agent-ended":
    case "run-finished":
    case "run-rebased":
      return query.selectFrom("runs").select("task").where("id", "=", change.run).$asScalar();
    case "exploration-opened":
      return change.exploration.task;
    case "exploration-moved":
      return taskOfExploration(change.exploration);
    case "entry-added":
      return change.entry.task;
    case "entry-moved":
      return query.selectFrom("entries").select("task").where("id", "=", change.entry).$asScalar();
    case "intent-opened":
      return taskId(change.intent.subject);
    case "intent-closed":
      return query
        .selectFrom("intents")
        .select((row) => row.ref("subject").$castTo<TaskId>().as("task"))
        .where("id", "=", change.key)
        .$asScalar();
    case "command-given":
    case "command-done":
    case "train-added":
    case "train-moved":
    case "verdict-given":
    case "runner-lifted":
    case "repo-renamed":
    case "task-compacted":
    case "events-folded":
      return null;
  }
}

function taskOfExploration(id: ExplorationId): Expression<TaskId | null> {
  return query.selectFrom("explorations").select("task").where("id", "=", id).$asScalar();
}

/** Makes the one event that stands for all events of a task and says how they ended. */
export function summaryOf({ events, ...rows }: Ended): TaskCompacted {
  const digest = createHash("sha256");
  for (const { hash } of events) digest.update(hash);
  return {
    kind: "task-compacted",
    ...rows,
    fence: Math.max(0, ...events.map(({ change }) => fenceOf(change))),
    replaces: { events: events.length, digest: digest.digest("hex") },
  };
}

function fenceOf(change: Change): number {
  if (change.kind === "claims-taken") return change.hold.fence;
  return change.kind === "claims-extended" ? change.next : 0;
}

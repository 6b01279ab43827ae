import type { Change, EntryPatch, TaskPatch } from "../../../src/domain/change.ts";
import type { EntryState, Evidence } from "../../../src/domain/entry.ts";
import { entryId, instant, taskIdOf } from "../../../src/domain/ids.ts";
import type { Instant, RunId } from "../../../src/domain/ids.ts";
import type { Task, TaskState } from "../../../src/domain/task.ts";
import { NOW, REPO, SUCCEEDED, aRun, shaOf } from "../../support/builders.ts";

type ChangeOf<K extends Change["kind"]> = Extract<Change, { readonly kind: K }>;

/** The task that the changes here are about. */
export const TASK = taskIdOf(REPO, 1);

export function later(ms: number): Instant {
  return instant(NOW + ms);
}

export function added(task: Task): ChangeOf<"task-added"> {
  return { kind: "task-added", task };
}

export function moved(from: TaskState, to: TaskState, set: TaskPatch = {}): ChangeOf<"task-moved"> {
  return { kind: "task-moved", task: TASK, from, to, reason: "because", at: later(5), set };
}

export function queued(id: RunId, attempt: number): ChangeOf<"run-queued"> {
  return { kind: "run-queued", run: aRun({ id, attempt }) };
}

export function started(run: RunId): ChangeOf<"run-started"> {
  const paths = { workspace: `/trees/${run}`, logPath: `/log/${run}` };
  return { kind: "run-started", run, ...paths, baseSha: shaOf(1), at: later(1) };
}

export function finished(run: RunId): ChangeOf<"run-finished"> {
  return { kind: "run-finished", run, outcome: SUCCEEDED, at: later(9) };
}

export function step(
  id: string,
  from: EntryState,
  ...[to, set = {}]: readonly [EntryState, EntryPatch?]
): ChangeOf<"entry-moved"> {
  const at = later(5);
  return { kind: "entry-moved", entry: entryId(id), from, to, reason: "because", at, set };
}

export const EVIDENCE: Evidence = {
  candidate: { base: shaOf(1), method: "squash", steps: [], tree: shaOf(8), commit: shaOf(9) },
  command: "npm test",
  verdict: "green",
  tail: "ok",
  startedAt: later(1),
  finishedAt: later(2),
};

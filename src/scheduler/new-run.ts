import { isCandidate } from "../domain/candidates.ts";
import { runId } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

export interface NewRun extends Pick<Run, "attempt" | "candidate" | "rework" | "runner"> {
  readonly baseSha?: Run["baseSha"];
  readonly now: Instant;
}

/** A run as it is before anything of it happens. */
export function newRun(task: Task, { now, ...known }: NewRun): Run {
  const of = isObjective(task) ? `${task.issue}.objective` : task.issue;
  const name = `${task.repo.replace("/", ".")}.${of}.${known.attempt}`;
  return {
    id: runId(isCandidate(known, task) ? `${name}.c${known.candidate}` : name),
    task: task.id,
    specHash: task.specHash,
    branch: task.branch ?? `wavetrain/${task.issue}`,
    state: "queued",
    workspace: undefined,
    baseSha: undefined,
    logPath: undefined,
    queuedAt: now,
    startedAt: undefined,
    finishedAt: undefined,
    heartbeatAt: undefined,
    outcome: undefined,
    usage: undefined,
    session: undefined,
    ...known,
  };
}

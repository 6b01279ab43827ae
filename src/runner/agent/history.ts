import { leadingRuns } from "../../domain/contenders.ts";
import type { Feedback, Run, RunOutcome } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { RepoMemory } from "../../ports/store.ts";

/** After these outcomes the conversation itself may be what is wrong. */
const SPOILED_BY: readonly RunOutcome["kind"][] = [
  ...(["failed", "cancelled", "disk-limit", "not-logged-in"] as const),
];

/** Tells a further attempt about the ones before it. */
export interface History {
  readonly previous: RunOutcome | undefined;
  readonly feedback: readonly Feedback[];
  /** These are its runs that ended since it was last asked for, oldest first. */
  readonly runs: readonly Run[];
  /** This is the conversation of the run before, and the runner that had it. */
  readonly session: { readonly runner: string; readonly id: string } | undefined;
}

/** Collects the task's past. Other contenders of the same attempt are not part of it. */
export function historyOf(task: Task, { runs, entries }: RepoMemory, attempt?: number): History {
  const ended = runs.filter(
    (run) => run.task === task.id && run.outcome !== undefined && run.attempt !== attempt,
  );
  const rejected = entries.findLast(
    (entry) => entry.task === task.id && entry.state === "rejected",
  );
  const last = leadingRuns(ended).at(-1);
  return {
    previous: last?.outcome,
    feedback: rejected === undefined ? [] : [feedbackFrom(rejected)],
    runs: ended.filter((run) => run.queuedAt >= task.readySince),
    session: last?.session === undefined ? undefined : { runner: last.runner, id: last.session },
  };
}

/** Returns the conversation of the attempt before, if the same runner had it and it is worth going on with. */
export function resumableSession(
  { session, previous }: History,
  runner: string,
): string | undefined {
  if (session?.runner !== runner || previous === undefined) return undefined;
  return SPOILED_BY.includes(previous.kind) ? undefined : session.id;
}

function feedbackFrom({ reason, evidence }: RepoMemory["entries"][number]): Feedback {
  const tail = evidence?.verdict === "red" ? `\n\n${evidence.tail}` : "";
  return { from: "the merge train", text: `${reason}${tail}` };
}

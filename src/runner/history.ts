import type { RepoMemory } from "../ports/store.ts";
import { leadingRuns } from "../domain/candidates.ts";
import type { Feedback } from "../domain/rework.ts";
import type { Run, RunOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

/** What a further attempt should know of the ones before it. */
export interface History {
  readonly previous: RunOutcome | undefined;
  readonly feedback: readonly Feedback[];
  /** Its runs that ended since it was last asked for; oldest first. */
  readonly runs: readonly Run[];
  /** The conversation of the run before, and whose it is. */
  readonly session: { readonly runner: string; readonly id: string } | undefined;
}

/** Other candidates of the same attempt are not its past. */
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

function feedbackFrom({ reason, evidence }: RepoMemory["entries"][number]): Feedback {
  const tail = evidence?.verdict === "red" ? `\n\n${evidence.tail}` : "";
  return { from: "the merge train", text: `${reason}${tail}` };
}

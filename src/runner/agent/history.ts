import { OPENING } from "../../domain/exploration.ts";
import { leadingRuns } from "../../domain/explore/contenders.ts";
import type { Feedback, Run, RunOutcome } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { RepoMemory } from "../../ports/store.ts";

/** Tells a further attempt about the ones before it. */
export interface History {
  readonly previous: RunOutcome | undefined;
  readonly feedback: readonly Feedback[];
  /** These are its runs that ended since it was last asked for, oldest first. */
  readonly runs: readonly Run[];
  /** Of these runs, the contender's own, newest first: it has their folder and their HOME. */
  readonly own: readonly Run[];
}

type Present = Pick<Run, "attempt" | "contender" | "retry"> & Partial<Pick<Run, "rework">>;

/** Collects the past of the task before one of its runs. Other contenders of the same attempt are not part of it. */
export function historyOf(task: Task, { runs, entries }: RepoMemory, present: Present): History {
  const ended = runs.filter(
    (run) => run.task === task.id && run.outcome !== undefined && run.attempt !== present.attempt,
  );
  const rejected = entries.findLast(
    (entry) => entry.task === task.id && entry.state === "rejected",
  );
  const since = ended.filter((run) => run.queuedAt >= task.readySince);
  const own = since.filter(({ contender }) => contender === present.contender).toReversed();
  const earlier = triesIdea(task, present) ? undefined : (own[0] ?? leadingRuns(ended).at(-1));
  return {
    previous: (tryBefore(task, runs, present) ?? earlier)?.outcome,
    feedback: rejected === undefined ? [] : [feedbackFrom(rejected)],
    runs: since,
    own,
  };
}

/** What came of another idea, or of the run that found them, says nothing about this one. */
function triesIdea({ spec }: Task, { contender, rework }: Present): boolean {
  return spec.explore !== undefined && contender !== OPENING && rework === undefined;
}

/** An evaluation that is tried again starts afresh, but is told how its last run ended. */
function tryBefore(
  { id }: Task,
  runs: readonly Run[],
  { attempt, contender, retry = 0 }: Present,
): Run | undefined {
  return runs.findLast(
    (run) =>
      run.task === id &&
      run.attempt === attempt &&
      run.contender === contender &&
      (run.retry ?? 0) < retry,
  );
}

function feedbackFrom({ reason, evidence }: RepoMemory["entries"][number]): Feedback {
  const tail = evidence?.verdict === "red" ? `\n\n${evidence.tail}` : "";
  return { from: "the merge train", text: `${reason}${tail}` };
}

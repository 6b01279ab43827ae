import type { Deps } from "../deps.ts";
import type { IssueState, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task, TaskState } from "../domain/task.ts";

export interface FactsRequest {
  readonly repo: RepoName;
  readonly tasks: readonly Task[];
  readonly reading: RepoReading;
}

/** What is known of dependencies that are not themselves waiting or at work; absent: there is no such issue. */
export async function readFacts(
  { repo, tasks, reading }: FactsRequest,
  deps: Deps,
): Promise<ReadonlyMap<TaskId, DependencyFact>> {
  const planned = new Set(tasks.filter((task) => isPlanned(task.state)).map((task) => task.id));
  const outside = new Set(
    tasks
      .filter((task) => isPlanned(task.state))
      .flatMap((task) => task.spec.dependsOn)
      .filter((dependency) => !planned.has(dependency)),
  );
  const stored = await deps.store.taskStates([...outside]);
  const seen = issueStates(reading);
  const unknown = [...outside].filter((id) => !stored.has(id) && !seen.has(id));
  const looked: ReadonlyMap<TaskId, IssueState> =
    unknown.length === 0 ? new Map() : await deps.github.issueStates(repo, unknown);
  const facts = new Map<TaskId, DependencyFact>();
  for (const id of outside) {
    const fact = factOf(stored.get(id), seen.get(id) ?? looked.get(id));
    if (fact !== undefined) facts.set(id, fact);
  }
  return facts;
}

/** Every issue that the reading shows: on the board in any column, or as somebody's blocker. */
function issueStates(reading: RepoReading): ReadonlyMap<TaskId, IssueState> {
  const states = new Map<TaskId, IssueState>();
  for (const { issue } of reading.board.cards) {
    for (const seen of [...issue.blockedBy, ...(issue.parent?.blockedBy ?? []), issue]) {
      states.set(taskIdOf(seen.repo, seen.number), seen.state);
    }
  }
  return states;
}

/** A closed issue is done whoever did it; otherwise our own memory knows best. */
function factOf(
  stored: TaskState | undefined,
  issue: IssueState | undefined,
): DependencyFact | undefined {
  if (issue === "completed" || stored === "landed") return "landed";
  if (issue === "not-planned") return "not-planned";
  if (stored === "failed") return "failed";
  return stored === undefined && issue === undefined ? undefined : "open";
}

import type { Deps } from "../deps.ts";
import type { DependencyIssue, IssueState, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task, TaskState } from "../domain/task.ts";
import { dependenciesOf } from "./phases.ts";
import type { Dependencies } from "./phases.ts";

export interface FactsRequest {
  readonly tasks: readonly Task[];
  readonly reading: RepoReading;
  /** What GitHub was asked about when it was last looked at. */
  readonly dependencies: Dependencies;
}

/** What is known of dependencies that are not themselves waiting or at work; absent: there is no such issue. */
export async function readFacts(
  { tasks, reading, dependencies: { phases, looked } }: FactsRequest,
  { store }: Pick<Deps, "store">,
): Promise<ReadonlyMap<TaskId, DependencyFact>> {
  const planned = new Set(tasks.filter((task) => isPlanned(task.state)).map((task) => task.id));
  const outside = new Set(
    tasks
      .filter((task) => isPlanned(task.state))
      .flatMap((task) => dependenciesOf(task, phases))
      .filter((dependency) => !planned.has(dependency)),
  );
  if (outside.size === 0) return new Map();
  const stored = await store.taskStates([...outside]);
  const seen = issueStates(reading);
  const reopened = reopenedIssues(reading);
  const facts = new Map<TaskId, DependencyFact>();
  for (const id of outside) {
    const done = stored.get(id) === "landed" && reopened.has(id) ? undefined : stored.get(id);
    // Whoever depends on what nobody has looked up yet waits for that.
    const fact = factOf(done, seen.get(id) ?? looked.get(id) ?? "open");
    if (fact !== undefined) facts.set(id, fact);
  }
  return facts;
}

/** Every issue that the reading shows: on the board in any column, or as somebody's blocker. */
export function issueStates(reading: RepoReading): ReadonlyMap<TaskId, IssueState> {
  const shown = issuesIn(reading);
  return new Map(shown.map(({ repo, number, state }) => [taskIdOf(repo, number), state]));
}

/** What had landed and was opened again is not done: whoever waits for it waits again. */
function reopenedIssues(reading: RepoReading): ReadonlySet<TaskId> {
  const again = issuesIn(reading).filter(({ reopened }) => reopened === true);
  return new Set(again.map(({ repo, number }) => taskIdOf(repo, number)));
}

function issuesIn({ board }: RepoReading): readonly DependencyIssue[] {
  return board.cards.flatMap(({ issue }) => [
    ...issue.blockedBy,
    ...(issue.parent?.blockedBy ?? []),
    issue,
  ]);
}

/** A closed issue is done whoever did it; otherwise our own memory knows best. */
function factOf(
  stored: TaskState | undefined,
  issue: IssueState | "absent",
): DependencyFact | undefined {
  if (issue === "completed" || stored === "landed") return "landed";
  if (issue === "not-planned") return "not-planned";
  if (stored === "failed") return "failed";
  return stored === undefined && issue === "absent" ? undefined : "open";
}

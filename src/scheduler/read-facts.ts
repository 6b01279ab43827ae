import type { Deps } from "../deps.ts";
import type { DependencyIssue, IssueState, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task, TaskState } from "../domain/task.ts";
import { dependenciesOf } from "./phases.ts";
import type { Phases } from "./phases.ts";

export interface FactsRequest {
  readonly repo: RepoName;
  readonly tasks: readonly Task[];
  readonly reading: RepoReading;
  /** Tasks of parent issues that somebody depends on. */
  readonly phases: Phases;
}

/** What is known of dependencies that are not themselves waiting or at work; absent: there is no such issue. */
export async function readFacts(
  { repo, tasks, reading, phases }: FactsRequest,
  deps: Deps,
): Promise<ReadonlyMap<TaskId, DependencyFact>> {
  const planned = new Set(tasks.filter((task) => isPlanned(task.state)).map((task) => task.id));
  const outside = new Set(
    tasks
      .filter((task) => isPlanned(task.state))
      .flatMap((task) => dependenciesOf(task, phases))
      .filter((dependency) => !planned.has(dependency)),
  );
  const stored = await deps.store.taskStates([...outside]);
  const seen = issueStates(reading);
  const reopened = reopenedIssues(reading);
  const unknown = [...outside].filter((id) => !stored.has(id) && !seen.has(id));
  const looked: ReadonlyMap<TaskId, IssueState> =
    unknown.length === 0 ? new Map() : await deps.github.issueStates(repo, unknown);
  const facts = new Map<TaskId, DependencyFact>();
  for (const id of outside) {
    const done = stored.get(id) === "landed" && reopened.has(id) ? undefined : stored.get(id);
    const fact = factOf(done, seen.get(id) ?? looked.get(id));
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
  issue: IssueState | undefined,
): DependencyFact | undefined {
  if (issue === "completed" || stored === "landed") return "landed";
  if (issue === "not-planned") return "not-planned";
  if (stored === "failed") return "failed";
  return stored === undefined && issue === undefined ? undefined : "open";
}

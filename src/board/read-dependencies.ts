import type { DependencyIssue, RepoReading, IssueState } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task, TaskState } from "../domain/task.ts";
import type { Deps } from "../ports/deps.ts";
import { dependenciesOf } from "./phases.ts";
import type { Dependencies, Phases } from "./phases.ts";

export interface FactsRequest {
  readonly tasks: readonly Task[];
  readonly reading: RepoReading;
  /** GitHub was asked about these when it was last looked at. */
  readonly dependencies: Dependencies;
}

interface Asked {
  readonly repo: RepoName;
  readonly reading: RepoReading;
  readonly tasks: readonly Task[];
}

/** Asks GitHub; most repositories have nothing to ask about. */
export async function readDependencies(
  { repo, reading, tasks }: Asked,
  deps: Pick<Deps, "store" | "github">,
): Promise<Dependencies> {
  const planned = tasks.filter((task) => isPlanned(task.state));
  const phases = await readPhases(planned, { repo, reading }, deps);
  const unknown = await unknownOf(
    planned.flatMap((task) => dependenciesOf(task, phases)),
    { planned, reading },
    deps,
  );
  if (unknown.length === 0) return { phases, looked: new Map() };
  const found = await deps.github.issueStates(repo, unknown);
  return { phases, looked: new Map(unknown.map((id) => [id, found.get(id) ?? "absent"])) };
}

/** Says what is known of dependencies that are not themselves waiting or at work. One is absent from the result if there is no such issue. */
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
    // A task whose dependency nobody has looked up yet waits for it.
    const fact = factOf(done, seen.get(id) ?? looked.get(id) ?? "open");
    if (fact !== undefined) facts.set(id, fact);
  }
  return facts;
}

async function unknownOf(
  dependencies: readonly TaskId[],
  { planned, reading }: { readonly planned: readonly Task[]; readonly reading: RepoReading },
  { store }: Pick<Deps, "store">,
): Promise<readonly TaskId[]> {
  const own = new Set(planned.map(({ id }) => id));
  const outside = [...new Set(dependencies)].filter((id) => !own.has(id));
  if (outside.length === 0) return [];
  const stored = await store.taskStates(outside);
  const seen = issueStates(reading);
  return outside.filter((id) => !stored.has(id) && !seen.has(id));
}

/** A parent issue is seldom a task itself, and nobody may ever close it: its sub-issues say how far it is. */
async function readPhases(
  planned: readonly Task[],
  { repo, reading }: Omit<Asked, "tasks">,
  { store, github }: Pick<Deps, "store" | "github">,
): Promise<Phases> {
  const own = new Set(planned.map(({ id }) => id));
  const outside = new Set(
    planned.flatMap(({ spec }) => spec.dependsOn).filter((id) => !own.has(id)),
  );
  if (outside.size === 0) return new Map();
  const states = issueStates(reading);
  const stored = await store.taskStates([...outside]);
  const open = [...outside].filter((id) => {
    return !stored.has(id) && (states.get(id) ?? "open") === "open";
  });
  if (open.length === 0) return new Map();
  const found = await github.subIssues(repo, open);
  return new Map([...found].map(([id, children]) => [id, membersOf(children)]));
}

function membersOf(children: readonly DependencyIssue[]): readonly TaskId[] {
  return children
    .filter(({ state }) => state !== "not-planned")
    .map((child) => taskIdOf(child.repo, child.number));
}

/** Returns every issue that the reading shows: on the board in any column, or as somebody's blocker. */
function issueStates(reading: RepoReading): ReadonlyMap<TaskId, IssueState> {
  const shown = issuesIn(reading);
  return new Map(shown.map(({ repo, number, state }) => [taskIdOf(repo, number), state]));
}

/** An issue that had landed and was opened again is not done: tasks that depend on it wait again. */
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

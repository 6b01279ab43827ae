import type { Deps, RepoContext } from "../deps.ts";
import type { IssueState, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task, TaskState } from "../domain/task.ts";
import type { RunnerLimits } from "./slots.ts";

export interface SchedulerSnapshot {
  readonly context: RepoContext;
  readonly now: Instant;
  readonly tasks: readonly Task[];
  /** The last run of each task. */
  readonly runs: readonly Run[];
  /** Runs under way on this host, in any repository. */
  readonly running: readonly Run[];
  readonly facts: ReadonlyMap<TaskId, DependencyFact>;
  readonly limits: RunnerLimits;
  /** The wave in progress, for `schedule: waves`. */
  readonly wave: readonly TaskId[];
}

/** Everything that the scheduler decides on, read once. */
export async function readSnapshot(
  context: RepoContext,
  seen: { readonly reading: RepoReading; readonly wave: readonly TaskId[] },
  deps: Deps,
): Promise<SchedulerSnapshot> {
  const { tasks, runs } = await deps.store.readRepo(context.repo);
  const { operator } = deps;
  return {
    context,
    now: deps.clock.now(),
    tasks,
    runs,
    running: deps.background.running(),
    facts: await readFacts(tasks, seen.reading, deps),
    limits: {
      runners: operator.runners,
      defaultRunner: operator.defaultRunner ?? Object.keys(operator.runners)[0] ?? "",
      overall: operator.slots,
      launchDelayMs: operator.launchDelay,
    },
    wave: seen.wave,
  };
}

/** What is known of dependencies that are not themselves waiting or at work. */
async function readFacts(
  tasks: readonly Task[],
  reading: RepoReading,
  deps: Deps,
): Promise<ReadonlyMap<TaskId, DependencyFact>> {
  const planned = new Set(tasks.filter((task) => isPlanned(task.state)).map((task) => task.id));
  const outside = tasks
    .flatMap((task) => task.spec.dependsOn)
    .filter((dependency) => !planned.has(dependency));
  const issues = issueStates(reading);
  const stored = await deps.store.taskStates([...new Set(outside)]);
  const facts = new Map<TaskId, DependencyFact>();
  for (const id of outside) {
    const fact = factOf(stored.get(id), issues.get(id));
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

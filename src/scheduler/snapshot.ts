import type { Deps, RepoContext } from "../deps.ts";
import type { IssueState, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task, TaskState } from "../domain/task.ts";
import type { FinishedRun } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import type { RunnerLimits } from "./slots.ts";

/** What the tick has seen of the repository, now and before. */
export interface Seen {
  readonly reading: RepoReading;
  readonly wave: readonly TaskId[];
  /** Undefined: not read since the reading. */
  readonly directories: ReadonlySet<string> | undefined;
}

/** As many runs as estimates look at. */
const HISTORY = 200;

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
  /** Runs that succeeded, newest first. */
  readonly history: readonly FinishedRun[];
  /** Of the base branch as of the last reading; undefined while nobody waits. */
  readonly directories: ReadonlySet<string> | undefined;
  /** The wave in progress, for `schedule: waves`. */
  readonly wave: readonly TaskId[];
}

/** Everything that the scheduler decides on, read once. */
export async function readSnapshot(
  context: RepoContext,
  seen: Seen,
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
    history: await deps.store.finishedRuns(context.repo, HISTORY),
    directories: seen.directories ?? (await readDirectories(context, tasks, deps)),
    wave: seen.wave,
  };
}

/** Over git, so that it costs no call of the API; a plan without it only takes claims a little wider. */
async function readDirectories(
  { repo, base }: RepoContext,
  tasks: readonly Task[],
  { git, log }: Deps,
): Promise<ReadonlySet<string> | undefined> {
  if (!tasks.some(({ state }) => state === "waiting" || state === "blocked")) return undefined;
  try {
    return await git.directoriesOf(repo, await git.fetchBranch(repo, base));
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    log.warn({ repo, err }, "base tree not read");
    return undefined;
  }
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

import { isOpenEntry } from "../domain/entry.ts";
import type { EntryState } from "../domain/entry.ts";
import type { RepoName, Instant } from "../domain/ids.ts";
import { takesSlot } from "../domain/run.ts";
import type { RunState } from "../domain/run.ts";
import type { TaskState } from "../domain/task.ts";
import type { ApiBudget, HeldBack } from "../ports/api-budget.ts";
import type { RepoMemory } from "../ports/store.ts";
import { lastRunOf } from "./last-run.ts";
import type { EndedRunStatus } from "./last-run.ts";
import type { ControlSource, Route } from "./route.ts";
import { runnerNotices } from "./runners-status.ts";

export interface RepoStatus {
  readonly repo: string;
  /** Each sentence names something that somebody has to put right. */
  readonly notices: readonly string[];
  /** People should see these reports on GitHub and do not see them yet; the most important come first. */
  readonly heldBack: readonly HeldBack[];
  /** These are the tasks that are not done or landed within the last day. */
  readonly tasks: readonly TaskStatus[];
  /** These are the runs that have not ended. */
  readonly runs: readonly RunStatus[];
  /** This is the train, in its order. */
  readonly entries: readonly EntryStatus[];
}

/** `GET /wavetrain/status` answers this. */
export interface Status {
  readonly at: Instant;
  readonly slots: number;
  /** Each sentence names something on this server that somebody has to look at. */
  readonly notices: readonly string[];
  /** This is the name of the server that answers; undefined where there is only one. */
  readonly host: string | undefined;
  readonly runners: readonly {
    readonly name: string;
    readonly slots: number;
    readonly running: number;
  }[];
  /** They say what is left of GitHub's API for each installation that was used. */
  readonly budgets: readonly ApiBudget[];
  readonly repositories: readonly RepoStatus[];
}

/** Sends the tasks with their reasons, the runs, the train and the runners of each repository. */
export const getStatus: Route = {
  method: "GET",
  path: "status",
  answer: async (_, source) => ({ kind: "json", body: await readStatus(source) }),
};

async function readStatus(source: ControlSource): Promise<Status> {
  const { operator, store, clock } = source;
  const running = source.running();
  const repositories: RepoStatus[] = [];
  const gone = source.notices.about("access");
  for (const repo of [...source.watched(), ...gone].toSorted()) {
    repositories.push({
      notices: source.notices.of(repo),
      heldBack: source.heldBack(repo),
      ...repoStatus(repo, await store.readRepo(repo)),
    });
  }
  return {
    at: clock.now(),
    slots: operator.slots,
    notices: [...source.notices.ofServer(), ...(await runnerNotices(source))],
    host: operator.store.url === undefined ? undefined : source.hostName,
    runners: Object.entries(operator.runners).map(([name, { slots }]) => ({
      name,
      slots,
      running: running.filter((run) => run.runner === name && takesSlot(run)).length,
    })),
    budgets: source.budgets(),
    repositories,
  };
}

function repoStatus(
  repo: RepoName,
  { tasks, runs, entries }: RepoMemory,
): Omit<RepoStatus, "notices" | "heldBack"> {
  return {
    repo,
    tasks: tasks
      .toSorted((a, b) => a.issue - b.issue)
      .map(({ id, spec, state, reason, wave, attempts, pull, changedAt }) => ({
        lastRun: lastRunOf(id, runs),
        id,
        title: spec.title,
        state,
        reason,
        wave,
        attempts,
        pull,
        changedAt,
      })),
    runs: runs
      .filter(({ state }) => state !== "finished")
      .map(({ id, task, runner, attempt, state, startedAt, logPath, host }) => ({
        id,
        task,
        runner,
        attempt,
        state,
        startedAt,
        logPath,
        host,
      })),
    entries: entries
      .filter(({ state }) => isOpenEntry(state))
      .map(({ id, task, pull, base, state, reason }) => ({ id, task, pull, base, state, reason })),
  };
}

interface TaskStatus {
  readonly id: string;
  readonly title: string;
  readonly state: TaskState;
  /** It says in a sentence why the task is in this state. */
  readonly reason: string;
  readonly wave: number | undefined;
  readonly attempts: number;
  readonly pull: number | undefined;
  readonly changedAt: Instant;
  /** It says how the task's last run ended, and where its log is. */
  readonly lastRun?: EndedRunStatus | undefined;
}

interface RunStatus {
  readonly id: string;
  readonly task: string;
  readonly runner: string;
  readonly attempt: number;
  readonly state: RunState;
  readonly startedAt: Instant | undefined;
  readonly logPath: string | undefined;
  /** This server works on it. */
  readonly host: string | undefined;
}

interface EntryStatus {
  readonly id: string;
  readonly task: string;
  readonly pull: number | undefined;
  readonly base: string;
  readonly state: EntryState;
  readonly reason: string;
}

import { isOpenEntry } from "../domain/entry.ts";
import type { EntryState } from "../domain/entry.ts";
import { summaryOf } from "../domain/explore/summary.ts";
import type { ExploreSummary } from "../domain/explore/summary.ts";
import { isContest, wordLevels } from "../domain/explore/words.ts";
import { instant } from "../domain/ids.ts";
import type { RepoName, Instant } from "../domain/ids.ts";
import type { RunState } from "../domain/run.ts";
import { WHEREABOUTS, reasonOf } from "../domain/story/reason-of.ts";
import type { Whereabouts } from "../domain/story/reason-of.ts";
import { storyOf } from "../domain/story/task-story.ts";
import type { Exploring, TaskStory } from "../domain/story/task-story.ts";
import type { TaskState } from "../domain/task.ts";
import { wordStanding } from "../domain/train.ts";
import type { TrainState } from "../domain/train.ts";
import type { ApiBudget, HeldBack } from "../ports/api-budget.ts";
import type { RepoMemory } from "../ports/store.ts";
import { lastRunOf } from "./last-run.ts";
import type { EndedRunStatus } from "./last-run.ts";
import type { ControlSource, Route } from "./route.ts";
import { UTILIZATION_MS, runnerUse } from "./runner-use.ts";
import type { RunnerUse } from "./runner-use.ts";
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
  /** These are the trains of the base branches that it has had. */
  readonly trains: readonly TrainStatus[];
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
  readonly runners: readonly RunnerUse[];
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
  const now = clock.now();
  const recent = await store.recentRuns(instant(now - UTILIZATION_MS));
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
    at: now,
    slots: operator.slots,
    notices: [...source.notices.ofServer(), ...(await runnerNotices(source))],
    host: operator.store.url === undefined ? undefined : source.hostName,
    runners: runnerUse({
      ...source,
      now,
      running: source.running(),
      recent,
      queues: source.pool.queues(),
    }),
    budgets: source.budgets(),
    repositories,
  };
}

function repoStatus(repo: RepoName, memory: RepoMemory): Omit<RepoStatus, "notices" | "heldBack"> {
  const { tasks, runs, entries, trains } = memory;
  return {
    repo,
    tasks: tasks
      .toSorted((a, b) => a.issue - b.issue)
      .map((task) => ({ ...taskStatus(storyOf(task, memory)), lastRun: lastRunOf(task.id, runs) })),
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
    trains: trains.map((train) => ({
      base: train.base,
      state: train.state,
      reason: train.state === "running" ? train.reason : wordStanding(train),
      changedAt: train.changedAt,
      logPath: train.logPath,
    })),
  };
}

function taskStatus(story: TaskStory): TaskStatus {
  const { id, spec, state, wave, attempts, pull, changedAt } = story.task;
  const { whereabouts, since, until, why, next, logPath } = reasonOf(story);
  return {
    id,
    title: spec.title,
    state,
    whereabouts,
    label: WHEREABOUTS[whereabouts].label,
    since,
    until,
    reason: why,
    next,
    logPath,
    wave,
    attempts,
    pull,
    changedAt,
    ...exploreStatus(story.exploring),
  };
}

function exploreStatus(
  exploring: Exploring | undefined,
): Pick<TaskStatus, "explore" | "exploreLevels"> {
  if (exploring === undefined) return {};
  const { exploration, runs } = exploring;
  const exploreLevels = isContest(exploration) ? [] : wordLevels(exploration, runs);
  return { explore: summaryOf(exploration, runs), exploreLevels };
}

interface TaskStatus {
  readonly id: string;
  readonly title: string;
  readonly state: TaskState;
  /** It is finer than the state: a run and a landing are followed step by step. */
  readonly whereabouts: Whereabouts;
  /** These are words for it. */
  readonly label: string;
  readonly since: Instant;
  /** It goes on by itself then, if this is in the future. */
  readonly until: Instant | undefined;
  /** It says in a sentence why the task is there. */
  readonly reason: string;
  /** It says what makes it go on; it is empty where the reason says so, or nothing can be done. */
  readonly next: string;
  /** This file on the server has the output that explains it. */
  readonly logPath: string | undefined;
  readonly wave: number | undefined;
  readonly attempts: number;
  readonly pull: number | undefined;
  readonly changedAt: Instant;
  /** It says how the task's last run ended, and where its log is. */
  readonly lastRun?: EndedRunStatus | undefined;
  /** It is there for a task that explores, or did last. */
  readonly explore?: ExploreSummary;
  /** A sentence says how far each of its levels is. */
  readonly exploreLevels?: readonly string[];
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

interface TrainStatus {
  readonly base: string;
  readonly state: TrainState;
  readonly reason: string;
  readonly changedAt: Instant;
  /** This file has the output that made it halt. */
  readonly logPath: string | undefined;
}

interface EntryStatus {
  readonly id: string;
  readonly task: string;
  readonly pull: number | undefined;
  readonly base: string;
  readonly state: EntryState;
  readonly reason: string;
}

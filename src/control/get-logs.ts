import { taskIdOf } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { objectiveTaskId } from "../domain/objective.ts";
import type { Run, RunOutcome, RunState } from "../domain/run.ts";
import { reasonOf } from "../domain/story/reason-of.ts";
import { storyOf } from "../domain/story/task-story.ts";
import type { Task, TaskState } from "../domain/task.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import { chooseRun, readRunWish } from "./choose-run.ts";
import { issueMeant, repoMeant } from "./find-task.ts";
import type { ControlSource, Route } from "./route.ts";

/** `GET /wavetrain/logs` answers this. */
export interface LogPlace {
  readonly repo: string;
  readonly task: string;
  readonly issue: number;
  readonly state: TaskState;
  /** It says in a sentence why the task is in this state. */
  readonly reason: string;
  /** It is undefined when the task has no run yet. */
  readonly run: LoggedRun | undefined;
  /** These are the task's runs, oldest first. */
  readonly runs: readonly Pick<LoggedRun, "id" | "attempt" | "contender" | "runner" | "state">[];
}

export interface LoggedRun {
  readonly id: string;
  readonly attempt: number;
  readonly contender: number;
  readonly runner: string;
  /** Its output has the form that this preset's program prints; undefined for a command of the operator's own. */
  readonly preset: string | undefined;
  readonly state: RunState;
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
  readonly outcome: RunOutcome["kind"] | undefined;
  readonly host: string | undefined;
  readonly path: string;
  /** It counts bytes; it is undefined when there is no log, not yet or not any more. */
  readonly size: number | undefined;
}

/** One answer holds no more bytes. */
const MAX_PART_BYTES = 1 << 20;

/** Says where the log of a task's run is, and what is to be said about it. */
export const getLogs: Route = {
  method: "GET",
  path: "logs",
  async answer({ query }, source) {
    const found = await findRun(query, source);
    if (!found.ok) return { kind: "refused", reason: found.error };
    return { kind: "json", body: await placeOf(found.value, source) };
  },
};

/** Sends a part of a run's log, from a byte on. */
export const getLogBytes: Route = {
  method: "GET",
  path: "logs/bytes",
  async answer({ query }, source) {
    const from = query.get("from") ?? "0";
    if (!/^\d{1,15}$/.test(from)) return { kind: "refused", reason: "from is not a whole number" };
    const found = await findRun(query, source);
    if (!found.ok) return { kind: "refused", reason: found.error };
    const { run } = found.value;
    if (run === undefined) return { kind: "refused", reason: "there is no run yet" };
    const part = { from: Number(from), maxBytes: MAX_PART_BYTES };
    const read = await source.files.readPart(source.host.logPath(run.id), part);
    return { kind: "bytes", bytes: read?.bytes ?? new Uint8Array() };
  },
};

interface FoundRun {
  readonly repo: RepoName;
  readonly task: Task;
  readonly run: Run | undefined;
  readonly runs: readonly Run[];
  readonly size: number | undefined;
}

async function findRun(
  query: URLSearchParams,
  source: ControlSource,
): Promise<Result<FoundRun, string>> {
  const found = await findTask(query, source);
  if (!found.ok) return found;
  const task = found.value;
  const wish = readRunWish(query);
  if (!wish.ok) return wish;
  const runs = await source.store.runsOf([task.id]);
  const run = chooseRun(runs, wish.value, task.id);
  if (!run.ok) return run;
  const here = run.value && (await seenLog(run.value, source));
  const elsewhere = here === undefined ? elsewhereOf(run.value, source) : undefined;
  if (elsewhere !== undefined) return fail(elsewhere);
  return ok({ repo: task.repo, task, run: run.value, runs, size: here?.size });
}

/** The issue of an objective is broken into tasks by a run of its own. */
async function findTask(
  query: URLSearchParams,
  source: ControlSource,
): Promise<Result<Task, string>> {
  const repo = repoMeant(query.get("repo"), source.watched());
  if (!repo.ok) return repo;
  const issue = await issueMeant(query, repo.value, source);
  if (!issue.ok) return issue;
  if (issue.value === undefined) return fail("issue is missing");
  const own = taskIdOf(repo.value, issue.value);
  const tasks = await source.store.tasks([own, objectiveTaskId(repo.value, issue.value)]);
  const task = tasks.find(({ id }) => id === own) ?? tasks[0];
  return task === undefined ? fail(`${own} is no task; wavetrain status lists them`) : ok(task);
}

function seenLog({ id }: Run, { files, host }: ControlSource) {
  return files.readPart(host.logPath(id), { from: 0, maxBytes: 0 });
}

/** A server that is alone on its store has no other place for a log, under whatever name it ran before. */
function elsewhereOf(
  run: Run | undefined,
  { hostName, operator }: ControlSource,
): string | undefined {
  if (operator.store.url === undefined || run?.host === undefined) return undefined;
  if (run.host === hostName) return undefined;
  const where = run.logPath === undefined ? "" : ` (${run.logPath})`;
  return `attempt ${run.attempt} of ${run.task} is with the server ${run.host}, and so is its log${where}: ask there; this one is ${hostName}`;
}

async function placeOf(found: FoundRun, source: ControlSource): Promise<LogPlace> {
  const { repo, task, run, runs, size } = found;
  const memory = await source.store.readRepo(repo);
  return {
    repo,
    task: task.id,
    issue: task.issue,
    state: task.state,
    reason: reasonOf(storyOf(task, { ...memory, runs })).why,
    run: run && loggedRun(run, size, source),
    runs: runs.map(({ id, attempt, contender, runner, state }) => ({
      id,
      attempt,
      contender,
      runner,
      state,
    })),
  };
}

function loggedRun(run: Run, size: number | undefined, source: ControlSource): LoggedRun {
  const { id, attempt, contender, runner, state, startedAt, finishedAt, outcome, host } = run;
  const path = source.host.logPath(id);
  const preset = source.operator.runners[runner]?.preset;
  const about = { id, attempt, contender, runner, preset, state, startedAt, finishedAt, host };
  return { ...about, outcome: outcome?.kind, path, size };
}

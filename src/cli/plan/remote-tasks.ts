import type { RemoteBoard } from "../../adapters/github/read-remote-board.ts";
import { taskSpecFromIssue } from "../../board/task-from-issue.ts";
import { problemLine } from "../../config/config-problem.ts";
import {
  defaultRepoConfig,
  readRepoConfig,
  REPO_CONFIG_PATH,
} from "../../config/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema.ts";
import type { ColumnRole, Issue, IssueState } from "../../domain/board.ts";
import { instant, repoName, taskIdOf } from "../../domain/ids.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { DependencyFact, PlannableTask } from "../../domain/plan.ts";
import type { Holding } from "../../planner/decide-starts.ts";
import { estimateWith, learnDurations } from "../../planner/estimate.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

export interface RemoteRequest {
  readonly repo: RepoName;
  /** Number of the organization's project; the configuration's unless given. */
  readonly project: number | undefined;
  /** Issues with this label instead of the cards of a project. */
  readonly label: string | undefined;
}

export interface RemoteTasks {
  readonly tasks: readonly PlannableTask[];
  readonly facts: ReadonlyMap<TaskId, DependencyFact>;
  readonly holding: readonly Holding[];
  readonly config: RepoConfig;
}

interface Seen {
  readonly issue: Issue;
  readonly role: ColumnRole | undefined;
}

const PLANNED: ReadonlySet<ColumnRole | undefined> = new Set([
  "ready",
  "running",
  "review",
  "queued",
]);
/** Each costs a call; whoever names more than this in texts gets them as unknown. */
const MOST_LOOKUPS = 200;

/** The tasks that the app would plan for the repository now; problems are lines about its configuration. */
export async function readRemoteTasks(
  board: RemoteBoard,
  request: RemoteRequest,
): Promise<Result<RemoteTasks, readonly string[]>> {
  const config = await readConfig(board, request.repo);
  if (!config.ok) return config;
  const seen = await readSeen(board, request, config.value);
  const planned = seen.filter(({ role, issue }) => PLANNED.has(role) && issue.state === "open");
  const tasks = planned.map(({ issue }) => plannable(issue, config.value));
  return ok({
    tasks,
    facts: await readFacts(board, tasks, seen),
    holding: planned.flatMap(holdingOf),
    config: config.value,
  });
}

async function readConfig(
  board: RemoteBoard,
  repo: RepoName,
): Promise<Result<RepoConfig, readonly string[]>> {
  const text = await board.readFile(repo, REPO_CONFIG_PATH);
  if (text === undefined) return ok(defaultRepoConfig());
  const read = readRepoConfig(text);
  return read.ok ? read : fail(read.error.map(problemLine));
}

async function readSeen(
  board: RemoteBoard,
  { repo, project, label }: RemoteRequest,
  config: RepoConfig,
): Promise<readonly Seen[]> {
  if (label !== undefined) {
    const issues = await board.readLabelled(repo, label);
    return issues.map((issue) => ({ issue, role: "ready" }));
  }
  return board.readCards(repo, { ...config.board, project: project ?? config.board.project });
}

/** All are ready since the same moment: a dry plan must not depend on when it is made. */
function plannable(issue: Issue, config: RepoConfig): PlannableTask {
  const spec = taskSpecFromIssue(issue, config);
  const model = learnDurations([]);
  return {
    ...spec,
    id: taskIdOf(issue.repo, issue.number),
    order: issue.number,
    readySince: instant(0),
    estimateMs: estimateWith(model, { size: spec.size, runner: spec.runner, labels: [] }).p50Ms,
  };
}

function holdingOf({ issue, role }: Seen): readonly Holding[] {
  if (role !== "running" && role !== "review" && role !== "queued") return [];
  return [{ id: taskIdOf(issue.repo, issue.number), phase: role, expectedEnd: undefined }];
}

const FACTS: Readonly<Record<IssueState, DependencyFact>> = {
  completed: "landed",
  "not-planned": "not-planned",
  open: "open",
};

/** What the board shows of dependencies outside the plan; those that only a text names are looked up. */
async function readFacts(
  board: RemoteBoard,
  tasks: readonly PlannableTask[],
  seen: readonly Seen[],
): Promise<ReadonlyMap<TaskId, DependencyFact>> {
  const shown = seen.flatMap(({ issue }) => [
    issue,
    ...issue.blockedBy,
    ...(issue.parent?.blockedBy ?? []),
  ]);
  const facts = new Map(shown.map((one) => [taskIdOf(one.repo, one.number), FACTS[one.state]]));
  const planned = new Set(tasks.map(({ id }) => id));
  const named = new Set(tasks.flatMap(({ dependsOn }) => dependsOn));
  const unknown = [...named].filter((id) => !planned.has(id) && !facts.has(id));
  for (const id of unknown.slice(0, MOST_LOOKUPS)) {
    const mark = id.lastIndexOf("#");
    const state = await board.readState({
      repo: repoName(id.slice(0, mark)),
      number: Number(id.slice(mark + 1)),
    });
    if (state !== undefined) facts.set(id, FACTS[state]);
  }
  return facts;
}

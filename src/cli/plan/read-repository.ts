import type { Command } from "commander";
import { createRemoteBoard } from "../../adapters/github/boards/read-remote-board.ts";
import type {
  RemoteBoard,
  RemoteRepository,
} from "../../adapters/github/boards/read-remote-board.ts";
import { taskSpecFromIssue } from "../../board/issue/task-from-issue.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import { namesProject } from "../../config/repository/board-kind.ts";
import { labelNames } from "../../config/repository/label-names.ts";
import { readRepoConfig, REPO_CONFIG_PATH } from "../../config/repository/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { ColumnRole, Issue, IssueState } from "../../domain/board.ts";
import { instant, repoName, taskId, taskIdOf } from "../../domain/ids.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { DependencyFact, PlannableTask } from "../../domain/plan.ts";
import type { Holding } from "../../planner/starts/decide-starts.ts";
import { estimateWith, learnDurations } from "../../planner/waves/estimate.ts";
import { AppError } from "../../shared/app-error.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { remoteAccess, repoNamed } from "../input/remote-access.ts";
import type { PlanInput } from "./make-plan.ts";

export interface RepositoryOptions {
  readonly project?: number;
  readonly label?: string;
  readonly all?: true;
  readonly apiUrl?: string;
  readonly tokenEnv: string;
}

const USAGE = { exitCode: 2 };

const PLANNED: ReadonlySet<ColumnRole | undefined> = new Set([
  "ready",
  "running",
  "review",
  "queued",
]);

export async function readRepository(
  given: string,
  options: RepositoryOptions,
  command: Command,
): Promise<PlanInput> {
  const repo = repoNamed(given, command);
  const { project, label, all = false } = options;
  try {
    const board = createRemoteBoard(remoteAccess(options, command));
    const read = await readRemoteTasks(board, { repo, project, label, all });
    if (read.ok) return inputFrom(read.value);
    return command.error(read.error.map((line) => `${repo}: ${line}`).join("\n"), USAGE);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return command.error(`error: ${error.message}`, USAGE);
  }
}

function inputFrom({ tasks, facts, holding, config }: RemoteTasks): PlanInput {
  return {
    tasks,
    facts,
    holding,
    claims: { barrier: config.barriers, shared: config.shared },
    defaults: { parallel: config.limits.parallel, schedule: config.schedule },
  };
}

interface RemoteRequest {
  readonly repo: RepoName;
  /** This is the number of the owner's project; when undefined, the configuration names it. */
  readonly project: number | undefined;
  /** Issues with this label are read instead of the cards of a project. */
  readonly label: string | undefined;
  /** It asks for every open issue, whatever its column or label. */
  readonly all: boolean;
}

interface RemoteTasks {
  readonly tasks: readonly PlannableTask[];
  readonly facts: ReadonlyMap<TaskId, DependencyFact>;
  readonly holding: readonly Holding[];
  readonly config: RepoConfig;
}

interface Seen {
  readonly issue: Issue;
  readonly role: ColumnRole | undefined;
}

/** Reads the tasks that the app would plan for the repository now. A failure has lines about its configuration. */
async function readRemoteTasks(
  board: RemoteBoard,
  request: RemoteRequest,
): Promise<Result<RemoteTasks, readonly string[]>> {
  const remote = await board.readRepository(request.repo);
  const text = (await board.readFile(remote.repo, REPO_CONFIG_PATH)) ?? "";
  const read = readRepoConfig(text);
  if (!read.ok) return fail(read.error.map(problemLine));
  const config = read.value;
  const label = request.label ?? readyLabel(request, config, text);
  const seen = await readSeen(board, { ...request, remote, label }, config);
  const planned = seen.filter(
    ({ role, issue }) => issue.state === "open" && (request.all || PLANNED.has(role)),
  );
  const tasks = planned.map(({ issue }) => plannable(issue, config));
  const facts = await readFacts(board, tasks, seen);
  return ok(shortened({ tasks, facts, holding: planned.flatMap(holdingOf), config }, remote.repo));
}

/** Returns the label that makes an issue ready in a repository without a project. */
function readyLabel(
  { project }: RemoteRequest,
  { board }: RepoConfig,
  text: string,
): string | undefined {
  const usesLabels = board.kind === "labels" || (board.kind === undefined && !namesProject(text));
  return project === undefined && usesLabels ? labelNames(board).ready : undefined;
}

async function readSeen(
  board: RemoteBoard,
  request: RemoteRequest & { readonly remote: RemoteRepository },
  config: RepoConfig,
): Promise<readonly Seen[]> {
  const { remote, project, label, all } = request;
  if (label !== undefined) {
    const issues = await board.readIssues(remote.repo, all ? undefined : label);
    return issues.map((issue) => ({ issue, role: "ready" }));
  }
  return board.readCards(remote, { ...config.board, project: project ?? config.board.project });
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
  return [{ id: taskIdOf(issue.repo, issue.number), stage: role, expectedEnd: undefined }];
}

const FACTS: Readonly<Record<IssueState, DependencyFact>> = {
  completed: "landed",
  "not-planned": "not-planned",
  open: "open",
};

/** Takes from the board what it shows of dependencies outside the plan, and looks up those that only a text names. */
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
  for (const id of unknown) {
    const mark = id.lastIndexOf("#");
    const state = await board.readState({
      repo: repoName(id.slice(0, mark)),
      number: Number(id.slice(mark + 1)),
    });
    if (state !== undefined) facts.set(id, FACTS[state]);
  }
  return facts;
}

/** Shortens ids of the planned repository to `#12`, as people write them there. */
function shortened({ tasks, facts, holding, config }: RemoteTasks, repo: RepoName): RemoteTasks {
  const short = (id: TaskId): TaskId =>
    id.startsWith(`${repo}#`) ? taskId(id.slice(repo.length)) : id;
  return {
    tasks: tasks.map((task) => ({
      ...task,
      id: short(task.id),
      dependsOn: task.dependsOn.map(short),
      parent: task.parent && short(task.parent),
    })),
    facts: new Map([...facts].map(([id, fact]) => [short(id), fact])),
    holding: holding.map((one) => ({ ...one, id: short(one.id) })),
    config,
  };
}

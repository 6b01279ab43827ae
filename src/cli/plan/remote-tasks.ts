import type { RemoteBoard, RemoteRepository } from "../../adapters/github/read-remote-board.ts";
import { taskSpecFromIssue } from "../../board/task-from-issue.ts";
import { problemLine } from "../../config/config-problem.ts";
import { labelNames } from "../../config/label-names.ts";
import { namesProject } from "../../config/names-project.ts";
import { readRepoConfig, REPO_CONFIG_PATH } from "../../config/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema.ts";
import type { ColumnRole, Issue, IssueState } from "../../domain/board.ts";
import { instant, repoName, taskId, taskIdOf } from "../../domain/ids.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { DependencyFact, PlannableTask } from "../../domain/plan.ts";
import type { Holding } from "../../planner/decide-starts.ts";
import { estimateWith, learnDurations } from "../../planner/estimate.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

export interface RemoteRequest {
  readonly repo: RepoName;
  /** Number of the owner's project; the configuration's unless given. */
  readonly project: number | undefined;
  /** Issues with this label instead of the cards of a project. */
  readonly label: string | undefined;
  /** Every open issue, whatever its column or label. */
  readonly all: boolean;
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

/** The tasks that the app would plan for the repository now; problems are lines about its configuration. */
export async function readRemoteTasks(
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

/** What makes an issue ready in a repository that has no project. */
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

/** Issues of the planned repository are `#12`, as people write them there. */
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

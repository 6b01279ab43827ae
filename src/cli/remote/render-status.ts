import type { RepoStatus, Status } from "../../http/status.ts";
import type { ApiBudget } from "../../ports/api-budget.ts";
import { renderTable } from "../text/table.ts";
import { printable } from "../text/terminal-text.ts";

export function renderStatus(status: Status, width: number): string {
  const runners = status.runners.map(({ name, running, slots }) => `${name} ${running}/${slots}`);
  const working = status.runners.reduce((sum, { running }) => sum + running, 0);
  const head = `runs ${working}/${status.slots}  runners: ${runners.join(", ")}`;
  const server = status.host === undefined ? "" : `${printable(status.host)}: `;
  const repositories = status.repositories.map((repo) =>
    [renderRepo(repo, width), ...hostLines(repo, status)].join("\n"),
  );
  const top = [`${server}${head}`, ...status.budgets.map(renderBudget)].join("\n");
  return [top, ...(repositories.length === 0 ? ["no repository yet"] : repositories)].join("\n\n");
}

/** Where several servers share the work, who does what. */
function hostLines({ runs }: RepoStatus, { host }: Status): readonly string[] {
  if (host === undefined || runs.length === 0) return [];
  const places = runs.map(
    (run) => `${run.task.slice(run.task.indexOf("#"))} on ${run.host ?? "an unknown server"}`,
  );
  return [printable(`runs: ${places.join(", ")}`)];
}

function renderBudget({ rest, graphql, writes }: ApiBudget): string {
  const left = [
    ...(rest === undefined ? [] : [`${rest.left}/${rest.limit} calls`]),
    ...(graphql === undefined ? [] : [`${graphql.left}/${graphql.limit} GraphQL points`]),
    `${writes.left}/${writes.limit} writes`,
  ];
  return `GitHub API left this hour: ${left.join(", ")}`;
}

function renderRepo(status: RepoStatus, width: number): string {
  const notices = status.notices.map((notice) => `! ${printable(notice)}`);
  return [renderTasks(status, width), ...notices].join("\n");
}

function renderTasks({ repo, tasks, entries }: RepoStatus, width: number): string {
  if (tasks.length === 0) return `${repo}: no tasks`;
  const columns = [
    { title: "task", align: "right" as const },
    { title: "state" },
    { title: "wave", align: "right" as const },
    { title: "try", align: "right" as const },
    { title: "pull", align: "right" as const },
    { title: "title" },
    { title: "why" },
  ];
  const rows = tasks.map((task) => [
    task.id.slice(task.id.indexOf("#")),
    task.state,
    String(task.wave ?? ""),
    String(task.attempts),
    task.pull === undefined ? "" : `#${task.pull}`,
    task.title,
    task.reason,
  ]);
  const train = entries.map(({ pull, state }) => `#${pull} ${state}`).join(", ");
  return [
    repo,
    renderTable(columns, rows, width),
    ...(train === "" ? [] : [`train: ${train}`]),
  ].join("\n");
}

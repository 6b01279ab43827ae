import type { Command } from "commander";
import type { Status, RepoStatus } from "../../control/get-status.ts";
import { entryName } from "../../domain/entry.ts";
import { whyAt } from "../../domain/story/reason-of.ts";
import type { Whereabouts } from "../../domain/story/reason-of.ts";
import type { ApiBudget, HeldBack } from "../../ports/api-budget.ts";
import { formatDuration, formatTimeOfDay } from "../../shared/format.ts";
import { failureLines } from "../text/failure-lines.ts";
import { renderTable } from "../text/table.ts";
import { printable } from "../text/terminal-text.ts";
import type { ServerPlace } from "./data-folder.ts";
import { needServer } from "./find-server.ts";
import { remoteCommand } from "./remote-command.ts";
import { renderRunners } from "./runner-table.ts";

interface StatusOptions {
  readonly json?: true;
}

const HELP = `
Asks the running server: every task that is not done or landed within the last day with its reason, the train, the runners.

Exit code: 0; 1 when no server is running or it does not answer; 2 for wrong options or folder.

Examples:
  wavetrain status
  wavetrain status --data-dir /var/lib/wavetrain
  wavetrain status --json | jq '.repositories[].tasks[] | select(.state == "failed")'`;

const MIN_COLUMNS = 60;

export function statusCommand(): Command {
  return remoteCommand("status", printStatus)
    .description("show what runs, what waits and why")
    .option("--json", "print it as JSON")
    .addHelpText("after", HELP);
}

async function printStatus({ dataDir }: ServerPlace, command: Command): Promise<void> {
  const { json } = command.opts<StatusOptions>();
  const server = await needServer(dataDir);
  const status = (await (await server.ask("status")).json()) as Status;
  const width = Math.max(MIN_COLUMNS, process.stdout.columns || 120);
  console.log(json ? JSON.stringify(status, undefined, 2) : renderStatus(status, width));
}

export function renderStatus(status: Status, width: number): string {
  const working = status.runners.reduce((sum, { busy }) => sum + busy, 0);
  const head = `runs ${working}/${status.slots}`;
  const server = status.host === undefined ? "" : `${printable(status.host)}: `;
  const repositories = status.repositories.map((repo) =>
    [
      renderRepo(repo, { width, now: status.at }),
      ...reportLines(repo, status),
      ...hostLines(repo, status),
    ].join("\n"),
  );
  const top = [
    `${server}${head}`,
    renderRunners(status.runners, width),
    ...status.budgets.flatMap((one) => budgetLines(one, status.at)),
    ...status.notices.map((notice) => `! ${printable(notice)}`),
  ].join("\n");
  return [top, ...(repositories.length === 0 ? ["no repository yet"] : repositories)].join("\n\n");
}

/** Says which reports still have to be written on GitHub. */
function reportLines({ heldBack }: RepoStatus, { at: now }: Status): readonly string[] {
  const parts = waitingParts(heldBack, { noun: "report", now });
  return parts.length === 0 ? [] : [parts.join("; ")];
}

/** Says which server works on which task, where several share the work. */
function hostLines({ runs }: RepoStatus, { host }: Status): readonly string[] {
  if (host === undefined || runs.length === 0) return [];
  const places = runs.map(
    (run) => `${run.task.slice(run.task.indexOf("#"))} on ${run.host ?? "an unknown server"}`,
  );
  return [printable(`runs: ${places.join(", ")}`)];
}

function budgetLines(budget: ApiBudget, now: number): readonly string[] {
  const { rest, graphql, writes } = budget;
  const left = [
    ...(rest === undefined ? [] : [`${rest.left}/${rest.limit} calls`]),
    ...(graphql === undefined ? [] : [`${graphql.left}/${graphql.limit} GraphQL points`]),
    `${writes.left}/${writes.limit} content writes`,
  ];
  return [`GitHub API left this hour: ${left.join(", ")}`, ...heldBackLine(budget, now)];
}

function heldBackLine({ heldBack, askedUntil }: ApiBudget, now: number): readonly string[] {
  const parts = waitingParts(heldBack, { noun: "write", now });
  const asked =
    askedUntil === undefined ? [] : [`GitHub asked to wait until ${formatTimeOfDay(askedUntil)}`];
  const line = [...parts, ...asked].join("; ");
  return line === "" ? [] : [line];
}

function waitingParts(
  heldBack: readonly HeldBack[],
  { noun, now }: { readonly noun: string; readonly now: number },
): readonly string[] {
  if (heldBack.length === 0) return [];
  const count = heldBack.reduce((sum, one) => sum + one.count, 0);
  const kinds = heldBack.map((one) => counted(one.count, one.kind.replace("-", " ")));
  const oldestAt = Math.min(...heldBack.map((one) => one.oldestAt));
  return [
    `${counted(count, noun)} ${count === 1 ? "waits" : "wait"}: ${kinds.join(", ")}`,
    `the oldest for ${formatDuration(now - oldestAt)}`,
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Says what the last run printed, where it explains why the task is not done. */
function whyFailed({ id, state, lastRun }: RepoStatus["tasks"][number]): readonly string[] {
  const isOver = state === "landed" || state === "cancelled" || state === "running";
  if (isOver || lastRun === undefined || lastRun.outcome === "succeeded") return [];
  return failureLines({ ...lastRun, task: id.slice(id.indexOf("#")) });
}

/** Says how far each level of an exploration is while it goes on. */
function levelLines({
  id,
  whereabouts,
  exploreLevels = [],
}: RepoStatus["tasks"][number]): readonly string[] {
  if (whereabouts !== "exploring") return [];
  return exploreLevels.map((level) => printable(`${id.slice(id.indexOf("#"))}, ${level}`));
}

interface View {
  readonly width: number;
  readonly now: number;
}

function renderRepo(status: RepoStatus, view: View): string {
  const notices = [...standingTrains(status), ...status.notices];
  const lines = notices.map((notice) => `! ${printable(notice)}`);
  return [renderTasks(status, view), ...lines].join("\n");
}

/** A train that stands keeps everything from landing, so it is said apart from the tasks. */
function standingTrains({ trains }: RepoStatus): readonly string[] {
  return trains.flatMap(({ state, reason, logPath }) => {
    if (state === "running") return [];
    return [`${reason}${logPath === undefined ? "" : ` (log: ${logPath})`}`];
  });
}

/** These are over: how long ago is of no interest. */
const ENDED: ReadonlySet<Whereabouts> = new Set(["landed", "failed", "cancelled"]);

function renderTasks({ repo, tasks, entries }: RepoStatus, { width, now }: View): string {
  if (tasks.length === 0) return `${repo}: no tasks`;
  const columns = [
    { title: "task", align: "right" as const },
    { title: "state" },
    { title: "for", align: "right" as const },
    { title: "wave", align: "right" as const },
    { title: "try", align: "right" as const },
    { title: "pull", align: "right" as const },
    { title: "title" },
    { title: "why" },
  ];
  const rows = tasks.map((task) => [
    task.id.slice(task.id.indexOf("#")),
    task.label,
    ENDED.has(task.whereabouts) ? "" : formatDuration(now - task.since),
    String(task.wave ?? ""),
    String(task.attempts),
    task.pull === undefined ? "" : `#${task.pull}`,
    task.title,
    whyAt({ why: task.reason, until: task.until }, now),
  ]);
  const train = entries.map((entry) => `${entryName(entry)} ${entry.state}`).join(", ");
  return [
    repo,
    renderTable(columns, rows, width),
    ...(train === "" ? [] : [`train: ${train}`]),
    ...tasks.flatMap(levelLines),
    ...tasks.flatMap(whyFailed),
  ].join("\n");
}

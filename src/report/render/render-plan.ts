import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { Plan } from "../../domain/plan.ts";
import { codeSpan, escapeMarkdown, escapeReason, mermaidText } from "./escape-markdown.ts";

export interface PlannedTask {
  readonly title: string;
  readonly dependsOn: readonly TaskId[];
}

export interface PlanView {
  readonly repo: RepoName;
  /** The first wave has the number 1, unless another is given. Waves without tasks are left out. */
  readonly plan: Pick<Plan, "waves" | "blocked"> & { readonly first?: number };
  readonly tasks: ReadonlyMap<TaskId, PlannedTask>;
}

/** A picture of more tasks cannot be read; GitHub refuses it not much later. */
const MAX_PICTURED_TASKS = 60;

/** Writes the plan for GitHub: a picture of the waves, a table, and the tasks that cannot be planned. */
export function renderPlan(view: PlanView): string {
  const { waves, blocked } = view.plan;
  const planned = waves.flat().length;
  if (planned === 0 && blocked.length === 0) return "Nothing is ready to be planned.\n";
  const parts = [
    renderPicture(view),
    planned > 0 ? renderTable(view) : "",
    blocked.length > 0 ? renderBlocked(view) : "",
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Draws the waves as a Mermaid flowchart; empty when there is nothing to draw, or too much. */
export function renderPicture({ plan, tasks, repo }: PlanView): string {
  const count = plan.waves.flat().length;
  if (count === 0 || count > MAX_PICTURED_TASKS) return "";
  const nodes = new Map(plan.waves.flat().map((id, index) => [id, `t${index}`]));
  const first = plan.first ?? 1;
  const waves = plan.waves.flatMap((wave, index) => {
    if (wave.length === 0) return [];
    const boxes = wave.map((id) => `    ${nodes.get(id) ?? ""}["${labelOf(id, repo, tasks)}"]`);
    return [`  subgraph w${index} ["Wave ${first + index}"]`, ...boxes, "  end"];
  });
  const arrows = [...nodes].flatMap(([id, node]) =>
    (tasks.get(id)?.dependsOn ?? []).flatMap((needed) => {
      const from = nodes.get(needed);
      return from === undefined ? [] : [`  ${from} --> ${node}`];
    }),
  );
  return ["```mermaid", "flowchart LR", ...waves, ...arrows, "```"].join("\n");
}

function renderTable({ plan, tasks, repo }: PlanView): string {
  const rows = plan.waves.flatMap((wave, index) =>
    wave.map((id) => {
      const needs = (tasks.get(id)?.dependsOn ?? []).map((needed) => referenceTo(needed, repo));
      const title = escapeMarkdown(tasks.get(id)?.title ?? "", 120);
      return `| ${(plan.first ?? 1) + index} | ${referenceTo(id, repo)} | ${title} | ${needs.join(", ")} |`;
    }),
  );
  return ["| Wave | Task | Title | Depends on |", "| ---: | --- | --- | --- |", ...rows].join("\n");
}

function renderBlocked({ plan, repo }: PlanView): string {
  const lines = plan.blocked.map(
    ({ id, cause }) => `- ${referenceTo(id, repo)}: ${escapeReason(cause.reason)}`,
  );
  return ["**Cannot be planned**", "", ...lines].join("\n");
}

function labelOf(id: TaskId, repo: RepoName, tasks: PlanView["tasks"]): string {
  return mermaidText(`${shortId(id, repo)} ${tasks.get(id)?.title ?? ""}`, 60);
}

/** Issues of the repository are links; any other id is only a name. */
function referenceTo(id: TaskId, repo: RepoName): string {
  const short = shortId(id, repo);
  if (/^#\d{1,10}$/.test(short)) return short;
  // Code cannot hold every character in a cell of a table.
  return /^[\w./#-]{1,150}$/.test(short) ? codeSpan(short) : escapeMarkdown(short, 120);
}

function shortId(id: TaskId, repo: RepoName): string {
  return id.startsWith(`${repo}#`) ? id.slice(repo.length) : id;
}

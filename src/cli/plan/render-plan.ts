import type { TaskId } from "../../domain/ids.ts";
import { explainWave } from "../../planner/explain.ts";
import { assignWaves } from "../../planner/waves/assign-waves.ts";
import type { Backlog } from "../../planner/waves/backlog.ts";
import { listConflicts } from "../../planner/waves/list-conflicts.ts";
import { taskName } from "../../planner/waves/task-name.ts";
import { renderTable } from "../text/table.ts";
import { clockText, renderTimeline } from "../text/timeline.ts";
import type { PlanView } from "./make-plan.ts";

const MINUTE = 60_000;
/** Thousands of tasks have millions of conflicts, and each example takes time to find. */
const MAX_CONFLICTS = 1000;

/** GitHub's renderer refuses more edges than 500. */
const MAX_EDGES = 450;
const MAX_LABEL_LENGTH = 60;

/**
 * Shows a summary, the waves as a table, the schedule as a timeline, the tasks that cannot be planned, and the conflicts that were asked
 * for.
 */
export function renderText(view: PlanView, width: number): string {
  const { plan } = view;
  const parts = [summary(view)];
  if (plan.schedule.length > 0) {
    parts.push(waveTable(view, width), timeline(view, width));
  }
  if (plan.blocked.length > 0) parts.push(blockedTable(view, width));
  if (view.request.conflicts !== undefined) parts.push(...conflictTable(view, width));
  return parts.join("\n\n");
}

function summary({ plan, request }: PlanView): string {
  const count = plan.schedule.length;
  const blocked = plan.blocked.length === 0 ? "" : `, ${plan.blocked.length} blocked`;
  if (count === 0) return `0 tasks${blocked}`;
  const serialMs = plan.schedule.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const times = [
    `${clockText(plan.makespanMs)} with ${counted(request.slots, "slot")}`,
    `${clockText(serialMs)} one by one`,
    `no plan is shorter than ${clockText(plan.lowerBoundMs)}`,
  ];
  return `${counted(count, "task")} in ${counted(plan.waves.length, "wave")}${blocked}: ${times.join(", ")}`;
}

function waveTable({ plan, backlog, request }: PlanView, width: number): string {
  const held = (request.holding ?? []).flatMap(({ id }) => backlog.positions.get(id) ?? []);
  const waves = assignWaves(backlog, held);
  const scheduled = new Map(plan.schedule.map((one) => [one.id, one]));
  const rows = waves.flatMap((wave, index) =>
    wave.flatMap((at) => {
      const task = backlog.tasks[at];
      const times = task && scheduled.get(task.id);
      if (task === undefined || times === undefined) return [];
      const why = explainWave(at, index, { backlog, waves }) ?? "";
      const time = clockText(times.endMs - times.startMs);
      const name = nameIn(backlog, task.id);
      return [[String(index + 1), name, clockText(times.startMs), time, task.title, why]];
    }),
  );
  const columns = [
    { title: "wave", align: "right" },
    { title: "task" },
    { title: "start", align: "right" },
    { title: "time", align: "right" },
    { title: "title" },
    { title: "why here" },
  ] as const;
  const isUntitled = rows.every((row) => row[4] === "");
  const shown = <T>(cells: readonly T[]): T[] => cells.filter((_, at) => at !== 4 || !isUntitled);
  return renderTable(shown(columns), rows.map(shown), width);
}

function timeline({ plan, backlog }: PlanView, width: number): string {
  const bars = plan.schedule.map(({ id, startMs, endMs, slot }) => ({
    lane: `slot ${slot + 1}`,
    label: nameIn(backlog, id),
    startMs,
    endMs,
  }));
  return renderTimeline(bars, width);
}

function blockedTable({ plan, backlog }: PlanView, width: number): string {
  const rows = plan.blocked.map(({ id, cause }) => [nameIn(backlog, id), cause.code, cause.reason]);
  return renderTable([{ title: "blocked" }, { title: "code" }, { title: "reason" }], rows, width);
}

function conflictTable({ backlog, request }: PlanView, width: number): readonly string[] {
  const { conflicts, leftOut } = listConflicts(backlog, request.claims, request.conflicts);
  const rows = conflicts.map(({ a, b, example }) => [
    nameIn(backlog, a),
    nameIn(backlog, b),
    example,
  ]);
  const columns = [{ title: "conflict" }, { title: "with" }, { title: "both may touch" }];
  return [
    ...(rows.length > 0 ? [renderTable(columns, rows, width)] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, "conflict")} left out`] : []),
  ];
}

/** Issues of one repository need no repository's name. */
function nameIn({ tasks }: Backlog, id: TaskId): string {
  return taskName(id, tasks[0]?.id ?? id);
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Scripts rely on this shape. Times are minutes from the start of the plan, slots are counted from 0. */
export function renderJson({ plan, backlog, request }: PlanView): string {
  const most = request.conflicts ?? MAX_CONFLICTS;
  const { conflicts, leftOut } = listConflicts(backlog, request.claims, most);
  const shape = {
    waves: plan.waves,
    blocked: plan.blocked.map(({ id, cause }) => ({ id, code: cause.code, reason: cause.reason })),
    schedule: plan.schedule.map(({ id, startMs, endMs, slot }) => ({
      id,
      start: startMs / MINUTE,
      end: endMs / MINUTE,
      slot,
    })),
    makespan: plan.makespanMs / MINUTE,
    lowerBound: plan.lowerBoundMs / MINUTE,
    conflicts,
    ...(leftOut > 0 && { conflictsLeftOut: leftOut }),
  };
  return JSON.stringify(shape, null, 2);
}

/** Draws a flowchart: a box for each wave, arrows for dependencies, and dotted lines for shared paths if they fit. */
export function renderMermaid({ plan, backlog, request }: PlanView): string {
  const planned = plan.waves.flat();
  const nodes = new Map<TaskId, string>(planned.map((id, at) => [id, `t${at}`]));
  const edge = (a: TaskId, arrow: string, b: TaskId): readonly string[] => {
    const [from, to] = [nodes.get(a), nodes.get(b)];
    return from === undefined || to === undefined ? [] : [`  ${from} ${arrow} ${to}`];
  };
  const taskOf = (id: TaskId) => backlog.tasks[backlog.positions.get(id) ?? -1];
  const waves = plan.waves.flatMap((wave, at) => [
    `  subgraph w${at}["wave ${at + 1}"]`,
    ...wave.map((id) => `    ${nodes.get(id) ?? ""}["${label(id, taskOf(id)?.title ?? "")}"]`),
    "  end",
  ]);
  const arrows = planned.flatMap((id) =>
    (taskOf(id)?.dependsOn ?? []).flatMap((other) => edge(other, "-->", id)),
  );
  const { conflicts, leftOut } = listConflicts(backlog, request.claims, MAX_EDGES);
  const dots = conflicts.flatMap(({ a, b }) => edge(a, "-.-", b));
  const fits = leftOut === 0 && arrows.length + dots.length <= MAX_EDGES;
  const shown = fits ? [...arrows, ...dots] : arrows;
  return ["flowchart LR", ...waves, ...shown.slice(0, MAX_EDGES)].join("\n");
}

/** Inside quotes Mermaid reads HTML entities and nothing else. */
function label(id: string, title: string): string {
  const text = title === "" ? id : `${id} ${title}`;
  const short = text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH - 1)}…` : text;
  return short.replace(/[^\p{L}\p{N} .,:/_…-]/gu, (character) => {
    const code = character.codePointAt(0) ?? 32;
    return code < 32 ? " " : `#${code};`;
  });
}

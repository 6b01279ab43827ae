import type { TaskId } from "../../domain/ids.ts";
import { listConflicts } from "../../planner/list-conflicts.ts";
import type { PlanView } from "./make-plan.ts";

/** GitHub's renderer refuses more edges than 500. */
const MOST_EDGES = 450;
const LONGEST_LABEL = 60;

/** A flowchart: a box for each wave, arrows for dependencies, dotted lines for shared paths while they fit. */
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
  const { conflicts, leftOut } = listConflicts(backlog, request.claims, MOST_EDGES);
  const dots = conflicts.flatMap(({ a, b }) => edge(a, "-.-", b));
  const fits = leftOut === 0 && arrows.length + dots.length <= MOST_EDGES;
  const shown = fits ? [...arrows, ...dots] : arrows;
  return ["flowchart LR", ...waves, ...shown.slice(0, MOST_EDGES)].join("\n");
}

/** Inside quotes Mermaid reads HTML entities and nothing else. */
function label(id: string, title: string): string {
  const text = title === "" ? id : `${id} ${title}`;
  const short = text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
  return short.replace(/[^\p{L}\p{N} .,:/_…-]/gu, (character) => {
    const code = character.codePointAt(0) ?? 32;
    return code < 32 ? " " : `#${code};`;
  });
}

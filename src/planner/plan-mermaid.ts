import type { Conflict, Plan } from "../domain/plan.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Backlog } from "./backlog.ts";

/** GitHub's renderer refuses more edges than this. */
const MOST_EDGES = 450;
const LONGEST_LABEL = 60;

/** The plan as a Mermaid flowchart: a box for each wave, arrows for dependencies, dotted lines for shared paths. */
export function planMermaid(
  plan: Pick<Plan, "waves" | "blocked">,
  { tasks, dependencies, positions }: Backlog,
  conflicts: readonly Conflict[],
): string {
  const planned = plan.waves.flat();
  const nodeOf = new Map<TaskId, string>(planned.map((id, at) => [id, `t${at}`]));
  const edge = (a: TaskId, arrow: string, b: TaskId): readonly string[] => {
    const [from, to] = [nodeOf.get(a), nodeOf.get(b)];
    return from === undefined || to === undefined ? [] : [`  ${from} ${arrow} ${to}`];
  };
  const waves = plan.waves.flatMap((wave, at) => [
    `  subgraph w${at}["wave ${at + 1}"]`,
    ...wave.map((id) => `    ${nodeOf.get(id) ?? "t"}["${label(id, titleOf(id))}"]`),
    "  end",
  ]);
  const arrows = planned.flatMap((id) =>
    (dependencies.before[positions.get(id) ?? -1] ?? []).flatMap((other) =>
      edge(tasks[other]?.id ?? id, "-->", id),
    ),
  );
  const dots = conflicts.flatMap(({ a, b }) => edge(a, "-.-", b));
  const shown = arrows.length + dots.length <= MOST_EDGES ? [...arrows, ...dots] : arrows;
  return ["flowchart LR", ...waves, ...shown.slice(0, MOST_EDGES), ""].join("\n");

  function titleOf(id: TaskId): string {
    return tasks[positions.get(id) ?? -1]?.title ?? "";
  }
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

import type { PlannableTask } from "../../src/domain/plan.ts";
import type { ConflictGraph } from "../../src/planner/graph.ts";

/** All pairs, patterns compared as plain strings: an oracle for tasks that name files only. */
export function literalGraph(tasks: readonly PlannableTask[]): ConflictGraph {
  const paths = (at: number, mode: "write" | "read"): string[] =>
    (tasks[at]?.claims ?? []).filter((claim) => claim.mode === mode).map((claim) => claim.pattern);
  const shared = (i: number, j: number): string | undefined => {
    if (i === j) return undefined;
    const mine = new Set(paths(i, "write"));
    const all = new Set([...mine, ...paths(i, "read")]);
    return (
      paths(j, "write").find((path) => all.has(path)) ??
      paths(j, "read").find((path) => mine.has(path))
    );
  };
  const neighbours = tasks.map((_, i) =>
    tasks.flatMap((_, j) => (shared(i, j) === undefined ? [] : [j])),
  );
  return {
    conflicts: (i, j) => shared(i, j) !== undefined,
    neighbours: (i) => neighbours[i] ?? [],
    degree: (i) => neighbours[i]?.length ?? 0,
    example: shared,
  };
}

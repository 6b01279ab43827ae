import { claimRules } from "../domain/claim/claim-rules.ts";
import type { ClaimOptions } from "../domain/claim/claim-rules.ts";
import { claimsConflict } from "../domain/claim/claims-conflict.ts";
import { compileClaims } from "../domain/claim/compile-claims.ts";
import type { Conflict } from "../domain/plan.ts";
import type { Backlog } from "./backlog.ts";

/** Every two plannable tasks that may touch the same path, with such a path. Running alone is not a conflict. */
export function listConflicts(
  { tasks, graph, dependencies }: Backlog,
  options: ClaimOptions = {},
): readonly Conflict[] {
  const rules = claimRules(options);
  const compiled = tasks.map((task) => compileClaims(task.claims, rules));
  const isPlannable = (at: number): boolean => dependencies.causes[at] === undefined;
  return tasks.flatMap((a, i) => {
    const mine = compiled[i];
    if (mine === undefined || !isPlannable(i)) return [];
    return [...graph.neighbours(i)].flatMap((j) => {
      const [b, theirs] = [tasks[j], compiled[j]];
      if (j < i || b === undefined || theirs === undefined || !isPlannable(j)) return [];
      const example = claimsConflict(mine, theirs);
      return example === undefined ? [] : [{ a: a.id, b: b.id, example }];
    });
  });
}

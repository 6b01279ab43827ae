import type { PathPattern } from "../domain/claim/path-pattern.ts";
import { literalPrefix } from "../domain/claim/path-pattern.ts";
import { commonPath } from "../domain/claim/patterns-meet.ts";
import type { CompiledTask } from "./conflict-task.ts";
import { anyPath, tasksConflict } from "./conflict-task.ts";

/**
 * A path that both tasks may touch, for two that conflict. Where patterns were too many to compare, they count as
 * claiming a whole directory: the example is then a path that one of them claims below it.
 */
export function conflictExample(a: CompiledTask, b: CompiledTask): string | undefined {
  const conflict = tasksConflict(a, b);
  return conflict ? conflict.example : (pathOfDeeper(a, b) ?? anyPath(a));
}

function pathOfDeeper(
  { claims: a }: CompiledTask,
  { claims: b }: CompiledTask,
): string | undefined {
  for (const x of [...a.writes, ...a.reads]) {
    for (const y of [...b.writes, ...b.reads]) {
      if (startsLike(x, y)) return commonPath(y, y);
      if (startsLike(y, x)) return commonPath(x, x);
    }
  }
  return undefined;
}

function startsLike(short: PathPattern, long: PathPattern): boolean {
  const names = literalPrefix(long);
  return literalPrefix(short).every((name, i) => name === names[i]);
}

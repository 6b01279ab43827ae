import type { IssueState } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";

/** The tasks of each open parent issue that somebody depends on; those that nobody will do are left out. */
export type Phases = ReadonlyMap<TaskId, readonly TaskId[]>;

/** What GitHub says of dependencies that neither the board nor the store knows. */
export interface Dependencies {
  /** Tasks of parent issues that somebody depends on. */
  readonly phases: Phases;
  /** Issues that were looked up; `absent` where there is none. One that is not here was not looked up yet. */
  readonly looked: ReadonlyMap<TaskId, IssueState | "absent">;
}

export const NO_DEPENDENCIES: Dependencies = { phases: new Map(), looked: new Map() };

/** What a task waits for, with every phase replaced by its tasks; its own phase stays what it is. */
export function dependenciesOf({ id, spec }: Task, phases: Phases): readonly TaskId[] {
  const all = spec.dependsOn.flatMap((dependency) => {
    const members = dependency === spec.parent ? [] : (phases.get(dependency) ?? []);
    return members.length === 0 ? [dependency] : members.filter((member) => member !== id);
  });
  return [...new Set(all)].sort();
}

import type { IssueState } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";

/** It has the tasks of each open parent issue that somebody depends on; those that nobody will do are left out. */
export type Phases = ReadonlyMap<TaskId, readonly TaskId[]>;

/** GitHub says this of dependencies that neither the board nor the store knows. */
export interface Dependencies {
  /** It has the tasks of parent issues that somebody depends on. */
  readonly phases: Phases;
  /** These issues were looked up; `absent` means that there is none. One that is not here was not looked up yet. */
  readonly looked: ReadonlyMap<TaskId, IssueState | "absent">;
}

export const NO_DEPENDENCIES: Dependencies = { phases: new Map(), looked: new Map() };

/** Returns the tasks that a task waits for, with every phase replaced by its tasks; its own phase stays what it is. */
export function dependenciesOf({ id, spec }: Task, phases: Phases): readonly TaskId[] {
  const all = spec.dependsOn.flatMap((dependency) => {
    const members = dependency === spec.parent ? [] : (phases.get(dependency) ?? []);
    return members.length === 0 ? [dependency] : members.filter((member) => member !== id);
  });
  return [...new Set(all)].sort();
}

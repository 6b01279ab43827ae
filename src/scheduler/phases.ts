import type { TaskId } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";

/** The tasks of each open parent issue that somebody depends on; those that nobody will do are left out. */
export type Phases = ReadonlyMap<TaskId, readonly TaskId[]>;

/** What a task waits for, with every phase replaced by its tasks; its own phase stays what it is. */
export function dependenciesOf({ id, spec }: Task, phases: Phases): readonly TaskId[] {
  const all = spec.dependsOn.flatMap((dependency) => {
    const members = dependency === spec.parent ? [] : (phases.get(dependency) ?? []);
    return members.length === 0 ? [dependency] : members.filter((member) => member !== id);
  });
  return [...new Set(all)].sort();
}

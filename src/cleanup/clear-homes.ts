import { taskId } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import type { TaskState } from "../domain/task.ts";
import type { Deps } from "../ports/deps.ts";

/** A failed task is not among these: it may be asked for again, and its runner then goes on where it was. */
const OVER: ReadonlySet<TaskState | undefined> = new Set<TaskState>(["landed", "cancelled"]);

/** HOMEs outlive runs, so that a runner finds its session again; they go when no further attempt is to come. */
export async function clearHomes({ host, store }: Pick<Deps, "host" | "store">): Promise<void> {
  const homes = await host.listHomes();
  if (homes.length === 0) return;
  const states = await store.taskStates(homes.map(taskOfHome));
  for (const home of homes) if (OVER.has(states.get(taskOfHome(home)))) await host.removeHome(home);
}

/** A HOME is named after its task; a contender's has its number behind that. */
export function taskOfHome(home: string): TaskId {
  return taskId(home.replace(/(?<=#\d+)\.c\d+$/, ""));
}

import type { Deps } from "../deps.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import { repoOf } from "../domain/ids.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { findCycles } from "../planner/find-cycles.ts";
import { taskNames } from "../planner/task-name.ts";

/** Longer chains through other repositories are not followed: whoever is in one waits, which is safe. */
const MOST_STEPS = 20;

/** Tasks of other repositories that the given ones wait for, directly or through each other. */
export async function readForeign(
  repo: RepoName,
  tasks: readonly Task[],
  { store }: Pick<Deps, "store">,
): Promise<readonly Task[]> {
  const found = new Map<TaskId, Task>();
  let frontier = tasks.filter((task) => isPlanned(task.state));
  for (let step = 0; step < MOST_STEPS && frontier.length > 0; step += 1) {
    const wanted = new Set(
      frontier
        .flatMap(({ spec }) => spec.dependsOn)
        .filter((id) => !found.has(id) && repoOf(id) !== repo),
    );
    frontier = wanted.size === 0 ? [] : [...(await store.tasks([...wanted]))];
    for (const task of frontier) found.set(task.id, task);
  }
  return [...found.values()].filter((task) => isPlanned(task.state));
}

/** Why tasks that wait for each other through another repository never start, by task. */
export function cyclesAcross(
  own: readonly Task[],
  foreign: readonly Task[],
): ReadonlyMap<TaskId, string> {
  if (foreign.length === 0) return new Map();
  const all = [...own.filter((task) => isPlanned(task.state)), ...foreign];
  const at = new Map(all.map(({ id }, position) => [id, position]));
  const edges = all.map(({ spec }) => spec.dependsOn.flatMap((id) => at.get(id) ?? []));
  const reasons = new Map<TaskId, string>();
  for (const members of findCycles(edges)) {
    const ids = members.flatMap((position) => all[position]?.id ?? []);
    // One within a repository is that repository's own, and named there step by step.
    if (new Set(ids.map(repoOf)).size < 2) continue;
    for (const id of ids) {
      reasons.set(id, `dependency cycle across repositories among ${taskNames(ids, id, 12)}`);
    }
  }
  return reasons;
}

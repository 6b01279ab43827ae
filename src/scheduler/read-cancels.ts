import type { RunId } from "../domain/ids.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";

/** Finds the runs that a recorded command is to end, with its reason. Whichever server took the command, the one at work finds it here. */
export async function readCancels(
  { repo }: Pick<RepoContext, "repo">,
  { tasks, runs }: Pick<RepoMemory, "tasks" | "runs">,
  { store }: Pick<Deps, "store">,
): Promise<ReadonlyMap<RunId, string>> {
  const open = new Set(runs.filter(({ state }) => state !== "finished").map(({ task }) => task));
  const issues = new Set(tasks.flatMap(({ id, issue }) => (open.has(id) ? [issue] : [])));
  const given = issues.size === 0 ? [] : await store.answersOn(repo, [...issues]);
  const effects = given.flatMap(({ effects: due }) => due);
  return new Map(
    effects.flatMap((effect) =>
      effect.kind === "cancel-run" ? [[effect.run, effect.reason] as const] : [],
    ),
  );
}

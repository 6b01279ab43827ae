import type { Deps, RepoContext } from "../deps.ts";
import type { RunId } from "../domain/ids.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoMemory } from "../ports/store.ts";

/** Runs that a command on record is to end, with its reason: whichever server took the command, the one at work finds it here. */
export async function readCancels(
  { repo }: Pick<RepoContext, "repo">,
  { tasks, runs }: Pick<RepoMemory, "tasks" | "runs">,
  { store }: Pick<Deps, "store">,
): Promise<ReadonlyMap<RunId, string>> {
  const open = new Set(runs.filter(({ state }) => state !== "finished").map(({ task }) => task));
  const issues = tasks.flatMap(({ issue }) => (open.has(taskIdOf(repo, issue)) ? [issue] : []));
  const commands = issues.length === 0 ? [] : await store.answersOn(repo, issues);
  const effects = commands.flatMap((command) => command.effects);
  return new Map(
    effects.flatMap((effect) =>
      effect.kind === "cancel-run" ? [[effect.run, effect.reason] as const] : [],
    ),
  );
}

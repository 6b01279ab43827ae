import type { Deps } from "../deps.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import type { Leftovers } from "../ports/leftovers.ts";
import type { CleanupSnapshot } from "./decide-cleanup.ts";

export interface JanitorDeps extends Pick<Deps, "store" | "clock" | "log" | "host" | "operator"> {
  readonly leftovers: Leftovers;
  readonly background: Pick<Deps["background"], "running">;
  watched(): readonly RepoName[];
}

export async function readSnapshot(deps: JanitorDeps): Promise<CleanupSnapshot> {
  const { operator } = deps;
  // Listed first: a run that begins meanwhile is in the store before anything of it is on disk.
  const leftovers = await deps.leftovers.list();
  const watched = new Set(deps.watched());
  const repos = new Set([
    ...watched,
    ...leftovers.flatMap((one) => ("repo" in one ? [one.repo] : [])),
  ]);
  const memories = await Promise.all([...repos].map((repo) => deps.store.readRepo(repo)));
  const running = deps.background.running();
  const unfinished = memories.flatMap(({ runs }) => runs.filter((run) => run.state !== "finished"));
  return {
    now: deps.clock.now(),
    leftovers,
    watched,
    unfinished: new Set([...running, ...unfinished].map((run) => run.id)),
    openTasks: memories.flatMap(({ tasks }) => tasks.filter(isOpen).flatMap(namesOf)),
    idle: running.length === 0,
    short: (await deps.host.freeDiskBytes()) < operator.minFreeDisk,
    policy: operator.cleanup,
  };
}

function isOpen({ state }: Task): boolean {
  return state !== "landed" && state !== "cancelled" && state !== "failed";
}

/** A task's HOME bears its id, its runs begin with repository and number. */
function namesOf({ id, repo, issue }: Task): readonly string[] {
  return [id, `${repo.replace("/", ".")}.${issue}`];
}

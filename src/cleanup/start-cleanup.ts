import type { RepoName } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import type { Deps } from "../ports/deps.ts";
import type { Leftovers } from "../ports/leftovers.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import { decideCleanup } from "./decide-cleanup.ts";
import type { CleanupAction, CleanupSnapshot } from "./decide-cleanup.ts";

export interface CleanupDeps extends Pick<Deps, "store" | "clock" | "log" | "host" | "operator"> {
  readonly leftovers: Leftovers;
  readonly background: Pick<Deps["background"], "running">;
  watched(): readonly RepoName[];
}

export interface Cleanup {
  /** Resolves when the pass under way is over. */
  stop(): Promise<void>;
}

/** Makes a pass at once and then one every `cleanup.every`; two never run at the same time. */
export function startCleanup(deps: CleanupDeps): Cleanup {
  let stopped = false;
  let cancel = (): void => undefined;
  let pass = Promise.resolve();
  const work = async (): Promise<void> => {
    await tick(deps).catch((err: unknown) => deps.log.error({ err }, "cleanup failed"));
    if (!stopped) cancel = deps.clock.after(deps.operator.cleanup.every, begin);
  };
  const begin = (): void => {
    pass = work();
  };
  begin();
  return {
    async stop() {
      stopped = true;
      cancel();
      await pass;
    },
  };
}

/** Makes one pass: it takes away what is of no use any more. The next pass tries again what cannot be removed now. */
async function tick(deps: CleanupDeps): Promise<void> {
  const snapshot = await readSnapshot(deps);
  if (snapshot.short) {
    const { minFreeDisk } = deps.operator;
    const freeDisk = await deps.host.freeDiskBytes();
    deps.log.warn({ freeDisk, minFreeDisk }, "disk nearly full: no run is started");
  }
  for (const action of decideCleanup(snapshot)) await apply(action, deps);
}

async function readSnapshot(deps: CleanupDeps): Promise<CleanupSnapshot> {
  const { operator } = deps;
  // This is listed first: a run that begins meanwhile is in the store before anything of it is on disk.
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
    openTasks: memories.flatMap(openNamesOf),
    idle: running.length === 0,
    short: (await deps.host.freeDiskBytes()) < operator.minFreeDisk,
    policy: operator.cleanup,
  };
}

function isOpen({ state }: Task): boolean {
  return state !== "landed" && state !== "cancelled" && state !== "failed";
}

/**
 * A task's HOME is named after its id; the names of its runs begin with repository and number, or with what the repository was called
 * when they began.
 */
function openNamesOf({ tasks, runs }: RepoMemory): readonly string[] {
  return tasks.filter(isOpen).flatMap(({ id, repo, issue }) => {
    const own = runs.flatMap((run) => (run.task === id ? [run.id] : []));
    return [id, `${repo.replace("/", ".")}.${issue}`, ...own];
  });
}

async function apply(action: CleanupAction, deps: CleanupDeps): Promise<void> {
  const { reason } = action;
  try {
    if (action.kind === "compact") {
      await deps.leftovers.compact(action.repo);
      deps.log.info({ repo: action.repo, reason }, "mirror compacted");
    } else {
      await deps.leftovers.remove(action.leftover);
      deps.log.info({ ...action.leftover, reason }, "leftover removed");
    }
  } catch (err) {
    if (!(err instanceof AppError) && !isOfFileSystem(err)) throw err;
    deps.log.warn({ ...action, err }, "leftover not removed");
  }
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

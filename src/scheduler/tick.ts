import type { Deps, RepoContext } from "../deps.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { isStale, takesSlot } from "../domain/run.ts";
import type { Run } from "../domain/run.ts";
import { apply } from "./apply.ts";
import { decide } from "./decide.ts";
import type { SchedulerCommand } from "./decide.ts";
import { decideLost } from "./decide-lost.ts";
import { readCancels } from "./read-cancels.ts";
import { hostLoad, readSnapshot } from "./snapshot.ts";
import type { Seen } from "./snapshot.ts";

export interface SchedulerPass extends Pick<Seen, "wave"> {
  readonly again: Instant | undefined;
  /** Something that people see is no longer what it was. */
  readonly changed: boolean;
}

/** One pass over a repository's tasks: what nobody works on any more, and what can start. Safe to repeat. */
export async function tick(context: RepoContext, seen: Seen, deps: Deps): Promise<SchedulerPass> {
  await deps.background.resumeRuns(context);
  const lost = await endLostRuns(context, deps);
  const read = await readSnapshot(context, seen, deps);
  // No await until the slots are reserved: the ticks of two repositories must not find the same one free.
  const { commands, wave, again, queued } = decide({ ...read, ...hostLoad(deps) });
  const release = deps.background.reserve(runsStartedBy(commands));
  try {
    await apply(commands, context, deps);
  } finally {
    release();
  }
  tellPool(context.repo, queued, deps);
  return { wave, again, changed: lost > 0 || commands.length > 0 };
}

function runsStartedBy(commands: readonly SchedulerCommand[]): readonly Run[] {
  return commands.flatMap((command) => (command.kind === "start-run" ? [command.run] : []));
}

/** Who waits elsewhere for a slot that came free here hears of it at once. */
function tellPool(repo: RepoName, waiting: ReadonlyMap<string, number>, deps: Deps): void {
  const { runners } = deps.operator;
  const slots = new Map(Object.entries(runners).map(([name, { slots: n }]) => [name, n]));
  const busy = deps.background
    .running()
    .filter(takesSlot)
    .map(({ runner }) => runner);
  for (const other of deps.pool.update({ repo, waiting, busy, slots })) deps.fillSlots(other);
}

/** Ends what was cancelled elsewhere, and what nobody works on any more. */
async function endLostRuns({ repo, config }: RepoContext, deps: Deps): Promise<number> {
  // Before the store: a run that ends in between is not lost.
  const underWay = new Set(deps.background.running().map((run) => run.id));
  const memory = await deps.store.readRepo(repo);
  const now = deps.clock.now();
  const cancels = await readCancels({ repo }, memory, deps);
  for (const [run, reason] of cancels) deps.background.cancelRun(run, reason);
  for (const run of memory.runs) {
    // The store takes nothing from a run that was silent for so long, even if it is at work here.
    if (isStale(run, now, deps.operator.claimsStaleAfter)) underWay.delete(run.id);
    // Another process may be at work on it and says so by its heartbeat.
    else if (isShared(deps.operator)) underWay.add(run.id);
  }
  const mostLost = config.limits.failures.infrastructure;
  const lost = decideLost({ ...memory, cancels, mostLost }, underWay, now);
  for (const changes of lost) await deps.store.record(repo, changes);
  return lost.length;
}

/** An embedded store belongs to one process: what is not under way here is under way nowhere. */
function isShared({ store }: Deps["operator"]): boolean {
  return store.url !== undefined;
}

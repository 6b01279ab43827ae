import type { Instant, RepoName, RunId } from "../domain/ids.ts";
import { isStale, takesSlot } from "../domain/run.ts";
import type { Run } from "../domain/run.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { StoredRepo } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import { assertNever } from "../shared/assert-never.ts";
import { decideLost } from "./decide-lost.ts";
import { decide } from "./decide.ts";
import type { SchedulerAction } from "./decide.ts";
import { readCancels } from "./read-cancels.ts";
import { hostLoad, readSnapshot } from "./snapshot.ts";
import type { Seen } from "./snapshot.ts";

/** Names what the scheduler touches of the world. */
export type SchedulerDeps = Pick<
  Deps,
  | "background"
  | "clock"
  | "fillSlots"
  | "finishing"
  | "host"
  | "hostName"
  | "log"
  | "operator"
  | "pool"
  | "store"
  | "wake"
  | "wakeOthers"
>;

export interface SchedulerPass extends Pick<Seen, "wave"> {
  readonly again: Instant | undefined;
  /** Is true if something that people see has changed. */
  readonly changed: boolean;
}

/** Passes over a repository's tasks once: it ends runs that nobody works on any more, and starts what can start. It is safe to repeat. */
export async function tick(
  context: RepoContext,
  seen: Seen & { readonly stored: StoredRepo },
  deps: SchedulerDeps,
): Promise<SchedulerPass> {
  await deps.background.resumeRuns(context);
  const { lost, cancels } = await endLostRuns(context, seen.stored, deps);
  const read = await readSnapshot(context, { ...seen, stored: await seen.stored.read() }, deps);
  // There is no await until the slots are reserved, because the ticks of two repositories must not find the same slot free.
  const { actions, wave, again, queued } = decide({ ...read, ...hostLoad(deps), cancels });
  const release = deps.background.reserve(runsStartedBy(actions));
  try {
    await apply(actions, context, deps);
  } finally {
    release();
  }
  // Nobody tells the other servers that there is work for their slots, too.
  if (actions.some(opensLevel)) deps.wakeOthers(context.repo);
  tellPool(context.repo, queued, deps);
  return { wave, again, changed: lost > 0 || actions.length > 0 };
}

/** Records first, then acts: a run's row exists before anything of it starts. */
export async function apply(
  actions: readonly SchedulerAction[],
  context: RepoContext,
  deps: Pick<Deps, "background" | "hostName" | "log" | "store" | "wake">,
): Promise<void> {
  for (const action of actions) {
    switch (action.kind) {
      case "record":
        await deps.store.record(context.repo, action.changes);
        break;
      case "start-run":
        if (!(await recordStart(action, context, deps))) return;
        deps.background.startRun(context, onThisHost(action.run, deps));
        break;
      case "promote":
        deps.background.promote(context, action.task);
        break;
      default:
        assertNever(action);
    }
  }
}

/** The host that starts a run works on it. */
function onThisHost(run: Run, { hostName }: Pick<Deps, "hostName">): Run {
  return { ...run, host: hostName };
}

/** Returns false if claims were taken or extended since the plan was made; the rest of the plan is then decided anew. */
async function recordStart(
  { run, changes }: Extract<SchedulerAction, { kind: "start-run" }>,
  { repo }: RepoContext,
  deps: Pick<Deps, "hostName" | "log" | "store" | "wake">,
): Promise<boolean> {
  try {
    await deps.store.record(
      repo,
      changes.map((change) =>
        change.kind === "run-queued" ? { ...change, run: onThisHost(change.run, deps) } : change,
      ),
    );
    return true;
  } catch (err) {
    if (!(err instanceof AppError) || err.code !== "store-conflict") throw err;
    deps.log.info({ repo, task: run.task, err }, "start overtaken");
    deps.wake(repo, "we-changed");
    return false;
  }
}

function opensLevel(action: SchedulerAction): boolean {
  return (
    action.kind === "record" && action.changes.some(({ kind }) => kind === "exploration-moved")
  );
}

function runsStartedBy(actions: readonly SchedulerAction[]): readonly Run[] {
  return actions.flatMap((action) => (action.kind === "start-run" ? [action.run] : []));
}

/** Tells repositories that wait for a slot that it came free here, at once. */
function tellPool(
  repo: RepoName,
  waiting: ReadonlyMap<string, number>,
  deps: Pick<Deps, "background" | "fillSlots" | "operator" | "pool">,
): void {
  const { runners } = deps.operator;
  const slots = new Map(Object.entries(runners).map(([name, { slots: n }]) => [name, n]));
  const busy = deps.background
    .running()
    .filter(takesSlot)
    .map(({ runner }) => runner);
  for (const other of deps.pool.update({ repo, waiting, busy, slots })) deps.fillSlots(other);
}

/** Ends runs that were cancelled elsewhere, and runs that nobody works on any more. */
async function endLostRuns(
  { repo, config }: RepoContext,
  stored: StoredRepo,
  deps: Pick<Deps, "background" | "clock" | "operator" | "store">,
): Promise<{ readonly lost: number; readonly cancels: ReadonlyMap<RunId, string> }> {
  // This is read before the store, so a run that ends in between is not lost.
  const underWay = new Set(deps.background.running().map((run) => run.id));
  const memory = await stored.read();
  const now = deps.clock.now();
  const cancels = await readCancels({ repo }, memory, deps);
  for (const [run, reason] of cancels) deps.background.cancelRun(run, reason);
  for (const run of memory.runs) {
    // The store takes nothing from a run that was silent for so long, even if it is at work here.
    if (isStale(run, now, deps.operator.claimsStaleAfter)) underWay.delete(run.id);
    // Another process may be at work on it and says so by its heartbeat.
    else if (isShared(deps.operator)) underWay.add(run.id);
  }
  const maxLost = config.limits.failures.infrastructure;
  const lost = decideLost({ ...memory, cancels, maxLost }, underWay, now);
  for (const changes of lost) await deps.store.record(repo, changes);
  if (lost.length > 0) stored.changed();
  return { lost: lost.length, cancels };
}

/** An embedded store belongs to one process: a run that is not under way here is under way nowhere. */
function isShared({ store }: Deps["operator"]): boolean {
  return store.url !== undefined;
}

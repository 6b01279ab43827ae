import { decideIntake } from "../board/decide-intake.ts";
import type { ReadCard } from "../board/decide-intake.ts";
import type { Deps, RepoContext } from "../deps.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { RepoMemory } from "../ports/store.ts";
import { isStale } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { isLabelledObjective, specOfTask } from "../objectives/specs.ts";
import { digest } from "../shared/digest.ts";
import { groupBy } from "../shared/group-by.ts";
import { apply } from "./apply.ts";
import { vouch } from "../trust/vouch.ts";
import type { Verdicts } from "../trust/vouch.ts";
import { decide } from "./decide.ts";
import { decideLost } from "./decide-lost.ts";
import { readCancels } from "./read-cancels.ts";
import { readSnapshot } from "./snapshot.ts";
import type { Seen } from "./snapshot.ts";

export interface SchedulerPass extends Pick<Seen, "wave" | "directories" | "verdicts"> {
  readonly again: Instant | undefined;
}

/** One pass over a repository's tasks: first the board's news, then what can start. Safe to repeat. */
export async function tick(context: RepoContext, seen: Seen, deps: Deps): Promise<SchedulerPass> {
  await deps.background.resumeRuns(context);
  const memory = await settleRuns(context, deps);
  const verdicts = await takeIn(context, { ...seen, memory }, deps);
  const snapshot = await readSnapshot(context, seen, deps);
  const { commands, wave, again, queued } = decide(snapshot);
  await apply(commands, context, deps);
  tellPool(context.repo, queued, deps);
  return { wave, again, directories: snapshot.directories, verdicts };
}

/** Who waits elsewhere for a slot that came free here hears of it at once. */
function tellPool(repo: RepoName, waiting: ReadonlyMap<string, number>, deps: Deps): void {
  const { runners } = deps.operator;
  const slots = new Map(Object.entries(runners).map(([name, { slots: n }]) => [name, n]));
  const busy = deps.background.running().map(({ runner }) => runner);
  for (const other of deps.pool.update({ repo, waiting, busy, slots })) {
    deps.wake(other, "we-changed");
  }
}

/** Ends what was cancelled elsewhere, and what nobody works on any more; returns the store's memory after that. */
async function settleRuns({ repo }: RepoContext, deps: Deps): Promise<RepoMemory> {
  const memory = await deps.store.readRepo(repo);
  const now = deps.clock.now();
  const cancels = await readCancels({ repo }, memory, deps);
  for (const [run, reason] of cancels) deps.background.cancelRun(run, reason);
  const underWay = new Set(deps.background.running().map((run) => run.id));
  for (const run of memory.runs) {
    // The store takes nothing from a run that was silent for so long, even if it is at work here.
    if (isStale(run, now, deps.operator.claimsStaleAfter)) underWay.delete(run.id);
    // Another process may be at work on it and says so by its heartbeat.
    else if (isShared(deps.operator)) underWay.add(run.id);
  }
  const lost = decideLost({ ...memory, cancels }, underWay, now);
  for (const changes of lost) await deps.store.record(repo, changes);
  return lost.length === 0 ? memory : deps.store.readRepo(repo);
}

/** An embedded store belongs to one process: what is not under way here is under way nowhere. */
function isShared({ store }: Deps["operator"]): boolean {
  return store.url !== undefined;
}

/** Returns what was found out about who stands behind the cards. */
async function takeIn(
  context: RepoContext,
  seen: Seen & { readonly memory: RepoMemory },
  deps: Deps,
): Promise<Verdicts> {
  const { reading } = seen;
  const { runs } = seen.memory;
  const recent = seen.memory.tasks.filter((task) => !isObjective(task));
  const cards = readCards(reading, context);
  const older = await readOlderTasks(cards, recent, deps);
  const tasks = [...recent, ...older.filter(({ state }) => state !== "landed")];
  const landed = older.filter(({ state }) => state === "landed");
  const landedBefore = new Set(landed.map(({ id }) => id));
  const vouched = await vouch(
    context,
    {
      cards: cards.filter(
        ({ card }) => !landedBefore.has(taskIdOf(card.issue.repo, card.issue.number)),
      ),
      tasks: new Map(tasks.map((task) => [task.id, task])),
      known: seen.verdicts,
    },
    deps,
  );
  const active = runs.filter((run) => run.state !== "finished");
  const byTask = groupBy(active, ({ task }) => task);
  const commands = decideIntake({
    now: deps.clock.now(),
    readAt: reading.readAt,
    renamed: reading.board.renamed ?? [],
    cards: vouched.cards,
    tasks,
    landedBefore,
    activeRuns: new Map([...byTask].map(([task, own]) => [task, own.map(({ id }) => id)])),
  });
  await apply(commands, context, deps);
  return vouched.verdicts;
}

function readCards({ board }: Seen["reading"], { config }: RepoContext): readonly ReadCard[] {
  return board.cards
    .filter(({ issue }) => !isLabelledObjective(issue, config))
    .map((card) => {
      const spec = specOfTask(card.issue, config);
      return { card, spec, specHash: digest(spec) };
    });
}

/** A board keeps the cards of what ended long ago; most ticks have no ready card that is new to the store's memory. */
async function readOlderTasks(
  cards: readonly ReadCard[],
  tasks: readonly Task[],
  deps: Deps,
): Promise<readonly Task[]> {
  const known = new Set(tasks.map((task) => task.id));
  const unknown = cards
    .filter(({ card }) => card.role === "ready" && card.issue.state === "open")
    .map(({ card }) => taskIdOf(card.issue.repo, card.issue.number))
    .filter((id) => !known.has(id));
  return unknown.length === 0 ? [] : deps.store.tasks(unknown);
}

import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { ColumnRole, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { assertNever } from "../shared/assert-never.ts";
import { digest } from "../shared/digest.ts";
import { groupBy } from "../shared/group-by.ts";
import { begunTasks, vouch } from "../trust/vouch.ts";
import type { TrustDecisions } from "../trust/vouch.ts";
import { adoptOrphans, isAtWork } from "./adopt-orphans.ts";
import { decideIntake } from "./issue/decide-intake.ts";
import type { IntakeAction } from "./issue/decide-intake.ts";
import { isLabelledObjective, specOfTask } from "./issue/task-from-issue.ts";

interface SeenCards {
  readonly reading: RepoReading;
  /** These decisions say who stands behind cards that are not accepted yet. */
  readonly decisions: TrustDecisions;
}

/** Takes the board's news into the store. Returns what was found out about who stands behind the cards. */
export async function takeIn(
  context: RepoContext,
  { reading, decisions: known }: SeenCards,
  deps: Pick<Deps, "background" | "clock" | "github" | "lostStore" | "store">,
): Promise<TrustDecisions> {
  const { runs, tasks: remembered } = await deps.store.readRepo(context.repo);
  const recent = remembered.filter((task) => !isObjective(task));
  const read = readCards(reading, context);
  const older = await readOlderTasks(read, recent, deps);
  const recorded = new Set([...recent, ...older].map(({ id }) => id));
  const cards = await adoptOrphans(read, { reading, config: context.config, recorded }, deps);
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
      begun: begunTasks(tasks, runs),
      renamed: reading.board.renamed ?? [],
      known,
    },
    deps,
  );
  const actions = decideIntake({
    now: deps.clock.now(),
    readAt: reading.readAt,
    renamed: reading.board.renamed ?? [],
    cards: vouched.cards,
    disregarded: vouched.disregarded,
    tasks,
    landedBefore,
    activeRuns: activeRunsOf(runs),
  });
  await applyIntake(actions, context, deps);
  return vouched.decisions;
}

function activeRunsOf(runs: readonly Run[]): ReadonlyMap<TaskId, readonly Run["id"][]> {
  const active = runs.filter((run) => run.state !== "finished");
  const byTask = groupBy(active, ({ task }) => task);
  return new Map([...byTask].map(([task, own]) => [task, own.map(({ id }) => id)]));
}

/** Most looks get the same reading as the look before: its cards were read then. */
const known = new WeakMap<RepoReading, CardsOf>();

interface CardsOf {
  readonly config: RepoConfig;
  readonly cards: readonly ReadCard[];
}

function readCards(reading: RepoReading, { config }: RepoContext): readonly ReadCard[] {
  const before = known.get(reading);
  if (before?.config === config) return before.cards;
  const cards = cardsOf(reading, config);
  known.set(reading, { config, cards });
  return cards;
}

function cardsOf({ board }: RepoReading, config: RepoConfig): readonly ReadCard[] {
  return board.cards
    .filter(({ issue }) => !isLabelledObjective(issue, config))
    .map((card) => {
      const spec = specOfTask(card.issue, config);
      return { card, spec, specHash: digest(spec) };
    });
}

/** Tells whether the card is in Ready, or in a column where only we put cards. */
function isAsked(role: ColumnRole | undefined): boolean {
  return role === "ready" || isAtWork(role);
}

/** A board keeps the cards of what ended long ago; most ticks have no ready card that is new to the store's memory. */
async function readOlderTasks(
  cards: readonly ReadCard[],
  tasks: readonly Task[],
  deps: Pick<Deps, "store">,
): Promise<readonly Task[]> {
  const known = new Set(tasks.map((task) => task.id));
  const unknown = cards
    .filter(({ card }) => card.issue.state === "open" && isAsked(card.role))
    .map(({ card }) => taskIdOf(card.issue.repo, card.issue.number))
    .filter((id) => !known.has(id));
  return unknown.length === 0 ? [] : deps.store.tasks(unknown);
}

async function applyIntake(
  actions: readonly IntakeAction[],
  { repo }: RepoContext,
  { store, background }: Pick<Deps, "store" | "background">,
): Promise<void> {
  for (const action of actions) {
    switch (action.kind) {
      case "record":
        await store.record(repo, action.changes);
        break;
      case "cancel-run":
        background.cancelRun(action.run, action.reason);
        break;
      default:
        assertNever(action);
    }
  }
}

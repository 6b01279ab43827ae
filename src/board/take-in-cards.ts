import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { ColumnRole, RepoReading } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { digest } from "../shared/digest.ts";
import { adoptOrphans, isAtWork } from "./adopt-orphans.ts";
import { intake } from "./intake.ts";
import type { Asked, Intake } from "./intake.ts";
import { isLabelledObjective, specOfTask } from "./issue/task-from-issue.ts";

interface SeenCards extends Pick<Asked, "decisions"> {
  readonly reading: RepoReading;
  readonly stored: RepoMemory;
}

/** Takes the board's news into the store. */
export async function takeInCards(
  context: RepoContext,
  { reading, decisions, stored }: SeenCards,
  deps: Pick<Deps, "background" | "clock" | "github" | "lostStore" | "store">,
): Promise<Intake> {
  const recent = stored.tasks.filter((task) => !isObjective(task));
  const read = readCards(reading, context);
  const older = await readOlderTasks(read, recent, deps);
  const recorded = new Set([...recent, ...older].map(({ id }) => id));
  const cards = await adoptOrphans(read, { reading, config: context.config, recorded }, deps);
  const tasks = [...recent, ...older.filter(({ state }) => state !== "landed")];
  const landed = older.filter(({ state }) => state === "landed");
  const landedBefore = new Set(landed.map(({ id }) => id));
  const isOpen = ({ card: { issue } }: ReadCard): boolean =>
    !landedBefore.has(taskIdOf(issue.repo, issue.number));
  return intake(
    context,
    {
      cards: cards.filter(isOpen),
      readAt: reading.readAt,
      renamed: reading.board.renamed ?? [],
      tasks,
      landedBefore,
      runs: stored.runs,
      explorations: stored.explorations,
      decisions,
    },
    deps,
  );
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

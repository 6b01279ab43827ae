import type { RepoReading } from "../../domain/board.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { RepoMemory } from "../../ports/store.ts";
import { decideCardMoves, decideCardNotes } from "../decide/decide-cards.ts";
import type { DesiredMove, DesiredNote } from "../decide/decide-cards.ts";
import { unlessRefused } from "./unless-refused.ts";

/** GitHub changes one field after the other and has ten seconds for a call, so one call takes no more cards. */
const MAX_CARDS_PER_CALL = 20;

/** These are the differences between the cards of a repository and what they should be. */
export interface DesiredCards {
  readonly moves: readonly DesiredMove[];
  readonly notes: readonly DesiredNote[];
}

/** It remembers what was last done with each card, so that a person who moves or fills it afterwards has the last word. */
export class CardMarks {
  readonly #marks = new Map<string, string | undefined>();
  readonly #store: Deps["store"];

  constructor(store: Deps["store"]) {
    this.#store = store;
  }

  /** Forgets all marks, because another server may have written some since. */
  forget(): void {
    this.#marks.clear();
  }

  async of(aspect: CardAspect, tasks: readonly TaskId[]): Promise<ReadonlyMap<TaskId, string>> {
    const keys = tasks.map((task) => `${aspect}:${task}`);
    const unknown = keys.filter((key) => !this.#marks.has(key));
    const known = await this.#store.publications(unknown);
    for (const key of unknown) this.#marks.set(key, known.get(key)?.digest);
    return new Map(
      tasks.flatMap((task) => {
        const mark = this.#marks.get(`${aspect}:${task}`);
        return mark === undefined ? [] : [[task, mark] as const];
      }),
    );
  }

  async save(aspect: CardAspect, { task, cardId, mark }: DesiredMove | DesiredNote): Promise<void> {
    const key = `${aspect}:${task}`;
    await this.#store.savePublication({ key, remoteId: cardId, digest: mark });
    this.#marks.set(key, mark);
  }
}

type CardAspect = "card" | "facts";

export async function readDesiredCards(
  memory: RepoMemory,
  reading: RepoReading,
  marks: CardMarks,
): Promise<DesiredCards> {
  const ids = memory.tasks.map(({ id }) => id);
  const moves = decideCardMoves(memory.tasks, reading.board, await marks.of("card", ids));
  const notes = hasFacts(reading)
    ? decideCardNotes(memory, reading.board, await marks.of("facts", ids))
    : [];
  return { moves, notes };
}

function hasFacts({ board }: RepoReading): boolean {
  return board.cards.some(({ facts }) => Object.keys(facts ?? {}).length > 0);
}

/** Updates as many cards as fit into one call, those that move first. Returns whether a call was made. */
export async function publishCards(
  { context, reading }: { readonly context: RepoContext; readonly reading: RepoReading },
  { moves, notes }: DesiredCards,
  { marks, deps }: { readonly marks: CardMarks; readonly deps: Pick<Deps, "github" | "log"> },
): Promise<boolean> {
  const moved = await marks.of(
    "card",
    moves.map(({ task }) => task),
  );
  const roleOf = new Map(reading.board.cards.map((card) => [card.id, card.role]));
  // Our own moves wake nobody, so a card that we moved before may be elsewhere than the last reading says.
  const isNeeded = ({ task, cardId, role }: DesiredMove): boolean =>
    moved.has(task) || roleOf.get(cardId) !== role;
  const taken = moves.slice(0, MAX_CARDS_PER_CALL);
  const moving = new Set(taken.map(({ task }) => task));
  const noted = notes
    .toSorted((a, b) => Number(moving.has(b.task)) - Number(moving.has(a.task)))
    .slice(0, MAX_CARDS_PER_CALL);
  const update = { moves: taken.filter(isNeeded), notes: noted };
  const isCall = update.moves.length + update.notes.length > 0;
  if (isCall) {
    await unlessRefused({ repo: context.repo, what: "card moves" }, deps, () =>
      deps.github.updateCards(context.repo, context.config, update),
    );
  }
  for (const move of taken) await marks.save("card", move);
  for (const note of noted) await marks.save("facts", note);
  return isCall;
}

import type { ItemNode, StampNode } from "../reading/reading-nodes.ts";
import { stampOf } from "./board-index.ts";
import type { BoardContent, ProjectFacts } from "./board-pages.ts";

/**
 * GitHub's times have seconds. A card that changed again in the second in which it was read has the same stamp as before, so it is read
 * once more later. It maps the id of such a card to the moment of the reading.
 */
export type Unsettled = ReadonlyMap<string, number>;

export interface KnownCards {
  readonly content: BoardContent;
  readonly unsettled: Unsettled;
}

/** An index was read, and the cards that it made us ask for. */
interface Changes {
  readonly project: ProjectFacts;
  readonly stamps: readonly StampNode[];
  readonly asked: readonly string[];
  /** Those that are gone are absent. */
  readonly read: ReadonlyMap<string, ItemNode>;
  readonly now: number;
}

/** The second is over then, whatever an answer takes to arrive. */
const SECOND_IS_OVER_AFTER_MS = 3_000;
/** Only cards that changed this shortly before the last change of all may have been read in the second of their change. */
const SAME_MOMENT_MS = 1_000;
/** GitHub does not let an app in whose clock is off by more than a minute. */
const CLOCKS_DIFFER_MS = 90_000;

/**
 * Decides which cards are to be read: those that are new, changed or unsettled, and those that the index does not show any more. A card
 * counts as gone only if GitHub says so of the card itself, because a task ends with its card, and an index of several queries may miss
 * one.
 */
export function decideCards(
  { content, unsettled }: KnownCards,
  stamps: readonly StampNode[],
): readonly string[] {
  const old = new Map(content.items.map((item) => [item.id, item]));
  const changed = stamps.filter((stamp) => unsettled.has(stamp.id) || isOther(old, stamp));
  const shown = new Set(stamps.map(({ id }) => id));
  return [...changed.map(({ id }) => id), ...[...old.keys()].filter((id) => !shown.has(id))];
}

/** Returns the cards as they are now. The content is the same object if nothing was read. */
export function updatedCards(before: KnownCards, changes: Changes): KnownCards {
  const { project, stamps, asked, read, now } = changes;
  const old = new Map(before.content.items.map((item) => [item.id, item]));
  const unsettled = [...read.values()].flatMap((item) => {
    const since = isOther(old, item) ? now : (before.unsettled.get(item.id) ?? now);
    return now - since < SECOND_IS_OVER_AFTER_MS ? [[item.id, since] as const] : [];
  });
  for (const id of asked) old.delete(id);
  const shown = new Set(stamps.map(({ id }) => id));
  const missed = asked.filter((id) => !shown.has(id) && read.get(id)?.isArchived === false);
  const items = [...shown, ...missed].flatMap((id) => read.get(id) ?? old.get(id) ?? []);
  return { content: contentOf(before.content, project, items), unsettled: new Map(unsettled) };
}

/** Returns the cards of a whole reading that may have changed again in the second in which they were read. */
export function recentlyChanged(
  items: readonly ItemNode[],
  before: KnownCards | undefined,
  now: number,
): Unsettled {
  const last = Math.max(...items.map(changedAt));
  if (last < now - CLOCKS_DIFFER_MS) return new Map();
  const old = new Map(before?.content.items.map((item) => [item.id, item]));
  const recent = items.filter((item) => changedAt(item) >= last - SAME_MOMENT_MS);
  return new Map(
    recent.flatMap((item) => {
      const since = isOther(old, item) ? now : before?.unsettled.get(item.id);
      return since === undefined || now - since >= SECOND_IS_OVER_AFTER_MS
        ? []
        : [[item.id, since]];
    }),
  );
}

function contentOf(
  before: BoardContent,
  project: ProjectFacts,
  items: readonly ItemNode[],
): BoardContent {
  const isSame =
    items.length === before.items.length && items.every((item, at) => item === before.items[at]);
  const hasSameFields = JSON.stringify(project.fields) === JSON.stringify(before.fields);
  return isSame && hasSameFields ? before : { ...project, items };
}

function isOther(known: ReadonlyMap<string, StampNode>, stamp: StampNode): boolean {
  const before = known.get(stamp.id);
  return before === undefined || stampOf(before) !== stampOf(stamp);
}

function changedAt({ updatedAt, status, content }: StampNode): number {
  const times = [updatedAt, status?.updatedAt, content?.updatedAt, content?.parent?.updatedAt];
  return Math.max(...times.map((time) => (time === undefined ? -Infinity : Date.parse(time))));
}

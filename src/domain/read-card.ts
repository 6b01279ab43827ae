import type { Card, ColumnRole } from "./board.ts";
import type { TaskId } from "./ids.ts";
import type { Acceptance } from "./provenance.ts";
import type { Task, TaskSpec } from "./task.ts";

/** This is a card with the rules read from its issue. */
export interface ReadCard {
  /** The task has this id, where it is not the issue's own. */
  readonly id?: TaskId;
  readonly card: Card;
  readonly spec: TaskSpec;
  readonly specHash: string;
  /** It was at work, and the store has lost the record of it: it counts as made ready. */
  readonly orphan?: { readonly pull: number | undefined; readonly branch: string | undefined };
  /** It says who stands behind the card, where that was asked. */
  readonly accepted?: Acceptance;
}

/** Somebody did this to a task without the right to it. */
export interface Disregarded {
  /** It says who did what, and that it does not count. */
  readonly reason: string;
  /** The deed seems to take the task back. */
  readonly leaving: boolean;
  /** Its card came then to where it does not belong; it is undefined if there is no card to put back. */
  readonly movedAt: number | undefined;
  /** A waiting task has this spec as long as nobody knows who did it. */
  readonly held?: Pick<ReadCard, "spec" | "specHash">;
}

/** These facts are needed to tell whether somebody takes a task back. */
export interface LeavingFacts {
  /** It says why a task without a card is taken back, where the usual words about a board do not fit. */
  readonly absent?: string;
  /** Nothing on the board can have these roles, because their column or label was renamed or deleted. */
  readonly renamed?: readonly ColumnRole[];
}

/** The columns that we use ourselves keep a task alive; any other is a person taking it back. */
export function takenAwayBecause(
  { state }: Task,
  read: ReadCard | undefined,
  { absent = "its card was taken off the board", renamed = [] }: LeavingFacts,
): string | undefined {
  // Whoever renames or deletes a column takes nothing back.
  const isUnclear = renamed.includes(state === "running" ? "running" : "ready");
  if (read === undefined) return absent;
  const { issue, role } = read.card;
  if (issue.state !== "open") return "its issue was closed";
  if (role === "done" || (role === undefined && !isUnclear))
    return "its card was moved away from Ready";
  return undefined;
}

import type { Gesture } from "../domain/provenance.ts";
import { takenAwayBecause } from "../domain/read-card.ts";
import type { ReadCard, LeavingFacts } from "../domain/read-card.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";

/** Tells whether the card asks for something that the task, if there is one, was not yet trusted with. */
export function needsProof({ card, specHash }: ReadCard, task: Task | undefined): boolean {
  if (task === undefined) return card.issue.state === "open" && card.role === "ready";
  switch (task.state) {
    case "failed":
    case "cancelled":
      return card.issue.state === "open" && card.role === "ready" && card.movedAt > task.readySince;
    case "waiting":
    case "blocked":
      return specHash !== task.specHash;
    case "running":
    case "review":
    case "queued":
    case "landed":
      return false;
    default:
      return assertNever(task.state);
  }
}

/** Returns the gesture that somebody seems to take back. It is undefined where nobody does, or where nothing was accepted that could be taken back. */
export function takenBack(
  task: Task,
  read: ReadCard | undefined,
  surroundings: LeavingFacts,
): Gesture | undefined {
  if (!KEPT_BY_ITS_CARD.has(task.state)) return undefined;
  const accepted = acceptedBy(task);
  if (accepted === undefined) return undefined;
  return takenAwayBecause(task, read, surroundings) === undefined ? undefined : accepted;
}

const KEPT_BY_ITS_CARD: ReadonlySet<Task["state"]> = new Set(["waiting", "blocked", "running"]);

export function acceptedBy({ acceptedBy: by, acceptedAt: at }: Task): Gesture | undefined {
  return by === undefined || at === undefined ? undefined : { by, at };
}

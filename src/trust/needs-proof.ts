import type { ReadCard } from "../board/decide-intake.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";

/** Whether the card asks for something that the task, if there is one, was not yet trusted with. */
export function needsProof({ card, specHash }: ReadCard, task: Task | undefined): boolean {
  if (card.issue.state !== "open") return false;
  if (task === undefined) return card.role === "ready";
  switch (task.state) {
    case "failed":
    case "cancelled":
      return card.role === "ready" && card.movedAt > task.readySince;
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

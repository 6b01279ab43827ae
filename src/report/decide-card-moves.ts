import type { Board, Card, ColumnRole } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Task, TaskState } from "../domain/task.ts";

export interface DesiredMove {
  readonly task: TaskId;
  readonly cardId: string;
  readonly role: ColumnRole;
  /** Says that this was done: the same move counts anew when a person asks for the task again. */
  readonly mark: string;
}

const COLUMN: Readonly<Record<TaskState, ColumnRole | undefined>> = {
  waiting: undefined,
  blocked: "blocked",
  running: "running",
  review: "review",
  queued: "queued",
  landed: "done",
  failed: "blocked",
  cancelled: undefined,
};

/**
 * Cards that are not where their task is. Each state moves its card once (`moved` holds the marks of what was done):
 * a card that a person puts elsewhere afterwards stays there, unless it was someone without the right to that. Columns that the
 * board lacks are left out.
 */
export function decideCardMoves(
  tasks: readonly Task[],
  board: Board,
  moved: ReadonlyMap<TaskId, string>,
): readonly DesiredMove[] {
  const cards = new Map<TaskId, Card>(
    board.cards.map((card) => [taskIdOf(card.issue.repo, card.issue.number), card]),
  );
  return tasks.flatMap((task) => {
    const card = cards.get(task.id);
    const role = card === undefined ? undefined : desiredRole(task, card);
    if (card === undefined || role === undefined) return [];
    const mark = `${role}@${task.readySince}${strayMark(task)}`;
    if (moved.get(task.id) === mark || board.missingRoles.includes(role)) return [];
    return [{ task: task.id, cardId: card.id, role, mark }];
  });
}

function desiredRole(task: Task, card: Card): ColumnRole | undefined {
  if (task.state !== "waiting") return COLUMN[task.state];
  return card.role === "blocked" || isAstray(task, card) ? "ready" : undefined;
}

function strayMark({ strayedAt }: Task): string {
  return strayedAt === undefined ? "" : `~${strayedAt}`;
}

function isAstray({ strayedAt }: Task, { role, movedAt }: Card): boolean {
  return (role === undefined || role === "done") && movedAt === strayedAt;
}

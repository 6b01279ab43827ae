import type { Board, Card, ColumnRole, CardFacts } from "../../domain/board.ts";
import { runsOfTask } from "../../domain/explore/contenders.ts";
import { instant, taskIdOf } from "../../domain/ids.ts";
import type { Instant, TaskId } from "../../domain/ids.ts";
import { lastingReason } from "../../domain/story/reason-of.ts";
import { storyOf } from "../../domain/story/task-story.ts";
import type { Memory } from "../../domain/story/task-story.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import { cleanLine } from "../../shared/clean-text.ts";

export interface DesiredNote {
  readonly task: TaskId;
  readonly cardId: string;
  readonly facts: CardFacts;
  /** It records that this was written, so that a person who changes a field afterwards keeps their value. */
  readonly mark: string;
}

export interface DesiredMove {
  readonly task: TaskId;
  readonly cardId: string;
  readonly role: ColumnRole;
  /** A card that would be moved on before this moment is not moved at all. */
  readonly dueAt: Instant;
  /** It records that this was done; the same move counts anew when a person asks for the task again. */
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

/** A change that was verified before is in the train for a moment only: nobody would see its card in that column. */
const QUEUED_AFTER_MS = 10_000;

/** A field of a board is read at a glance, so it must be short. */
const MAX_REASON_LENGTH = 200;

/**
 * Finds cards that are not where their task is. Each state moves its card once (`moved` holds the marks of what was done): a card that a
 * person puts elsewhere afterwards stays there, unless that person had no right to move it. Columns that the board lacks are left out.
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
    const dueAt = instant(task.changedAt + (role === "queued" ? QUEUED_AFTER_MS : 0));
    return [{ task: task.id, cardId: card.id, role, dueAt, mark }];
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

/**
 * Finds cards whose fields say something else than the store. Fields that the board lacks and fields without a known value are left out.
 */
export function decideCardNotes(
  memory: Memory & { readonly tasks: readonly Task[] },
  board: Board,
  noted: ReadonlyMap<TaskId, string>,
): readonly DesiredNote[] {
  const known = new Map(memory.tasks.map((task) => [task.id, task]));
  return board.cards.flatMap((card) => {
    const task = known.get(taskIdOf(card.issue.repo, card.issue.number));
    if (task === undefined) return [];
    const wanted = Object.entries(factsOf(task, memory)).filter(
      ([fact, value]) => value !== "" && (card.facts ?? {})[fact as keyof CardFacts] !== undefined,
    );
    const mark = wanted.map((one) => one.join("=")).join(" ");
    const changed = wanted.filter(
      ([fact, value]) => (card.facts ?? {})[fact as keyof CardFacts] !== value,
    );
    if (changed.length === 0 || noted.get(task.id) === mark) return [];
    return [{ task: task.id, cardId: card.id, facts: Object.fromEntries(changed), mark }];
  });
}

function factsOf(task: Task, memory: Memory): Required<CardFacts> {
  const runs = runsOfTask(task.id, memory.runs);
  const usd = runs.reduce((sum, { usage }) => sum + (usage?.costUsd ?? 0), 0);
  return {
    wave: task.wave === undefined ? "" : String(task.wave),
    runner: runs.at(-1)?.runner ?? "",
    attempt: task.attempts === 0 ? "" : String(task.attempts),
    cost: usd === 0 ? "" : usd.toFixed(2),
    reason: cleanLine(lastingReason(storyOf(task, memory)), MAX_REASON_LENGTH),
  };
}

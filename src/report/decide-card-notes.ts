import type { Board, CardFacts } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { cleanLine } from "../shared/clean-text.ts";

/** A field of a board is read at a glance. */
const LONGEST_REASON = 200;

export interface DesiredNote {
  readonly task: TaskId;
  readonly cardId: string;
  readonly facts: CardFacts;
  /** Says that this was written: a person who changes a field afterwards keeps their value. */
  readonly mark: string;
}

/** Cards whose fields say something else than the store. Fields that the board lacks are left out, what is known of none too. */
export function decideCardNotes(
  { tasks, runs }: { readonly tasks: readonly Task[]; readonly runs: readonly Run[] },
  board: Board,
  noted: ReadonlyMap<TaskId, string>,
): readonly DesiredNote[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  return board.cards.flatMap((card) => {
    const task = known.get(taskIdOf(card.issue.repo, card.issue.number));
    if (task === undefined) return [];
    const own = runs.filter((run) => run.task === task.id);
    const wanted = Object.entries(factsOf(task, own)).filter(
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

function factsOf(task: Task, runs: readonly Run[]): Required<CardFacts> {
  const usd = runs.reduce((sum, { usage }) => sum + (usage?.costUsd ?? 0), 0);
  return {
    wave: waveOf(task),
    runner: runs.at(-1)?.runner ?? "",
    attempt: task.attempts === 0 ? "" : String(task.attempts),
    cost: usd === 0 ? "" : usd.toFixed(2),
    reason: cleanLine(task.reason, LONGEST_REASON),
  };
}

/** What started at once was never told a wave: it is the first. */
function waveOf({ wave, attempts }: Task): string {
  if (wave !== undefined) return String(wave);
  return attempts === 0 ? "" : "1";
}

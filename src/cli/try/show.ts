import logUpdate from "log-update";
import type { TaskState, Task } from "../../domain/task.ts";
import type { DeclaredTask } from "../input/task-file.ts";
import { cutText, fitText, printable } from "../text/terminal-text.ts";
import { clockText } from "../text/timeline.ts";
import type { TryProgress } from "./run-try.ts";

/** A display shows the work while it lasts. */
export interface Display {
  update(progress: TryProgress): void;
  done(): void;
}

const MARKS: Readonly<Record<TaskState, string>> = {
  waiting: "·",
  blocked: "✗",
  running: "▶",
  review: "◆",
  queued: "◇",
  landed: "✔",
  failed: "✗",
  cancelled: "✗",
};

/** Draws a picture in a terminal anew at each step. */
export function liveDisplay(tasks: readonly DeclaredTask[]): Display {
  return {
    update: (progress) => {
      const width = process.stdout.columns || 100;
      logUpdate(renderFrame(rowsOf(tasks, progress), { elapsedMs: progress.elapsedMs, width }));
    },
    done: () => {
      logUpdate.done();
    },
  };
}

/** Prints a line for each change of state, for logs and pipes. */
export function plainDisplay(tasks: readonly DeclaredTask[]): Display {
  const shown = new Map<string, TaskState>();
  return {
    update: (progress) => {
      for (const row of rowsOf(tasks, progress)) {
        if (row.task === undefined || shown.get(row.id) === row.task.state) continue;
        shown.set(row.id, row.task.state);
        console.log(renderLine(row, progress.elapsedMs));
      }
    },
    done: () => undefined,
  };
}

export function silentDisplay(): Display {
  return { update: () => undefined, done: () => undefined };
}

function rowsOf(tasks: readonly DeclaredTask[], progress: TryProgress): readonly ProgressRow[] {
  return tasks.map(({ id, title }) => ({ id, title, task: progress.tasks.get(id) }));
}

interface ProgressRow {
  readonly id: string;
  readonly title: string;
  /** It is undefined until the app has seen its card. */
  readonly task: Task | undefined;
}

/** Draws the live picture: one line a task, then a line of counts. */
export function renderFrame(
  rows: readonly ProgressRow[],
  { elapsedMs, width }: { readonly elapsedMs: number; readonly width: number },
): string {
  const idWidth = Math.min(16, Math.max(...rows.map(({ id }) => id.length)));
  const lines = rows.map((row) => {
    const { task } = row;
    const state = task?.state ?? "waiting";
    const head = `${MARKS[state]} ${fitText(printable(row.id), idWidth)}  ${fitText(state, 8)}`;
    return cutText(`${head}  ${printable(task?.reason ?? row.title)}`, width);
  });
  const count = (state: TaskState): number =>
    rows.filter(({ task }) => task?.state === state).length;
  const sum = `${clockText(elapsedMs)}  ${count("running")} running, ${count("review") + count("queued")} in review, ${count("landed")} of ${rows.length} landed`;
  return [...lines, "", sum].join("\n");
}

/** Writes one line for a change of state, for logs and pipes. */
export function renderLine(row: ProgressRow, elapsedMs: number): string {
  const state = row.task?.state ?? "waiting";
  const seconds = (elapsedMs / 1000).toFixed(1).padStart(6);
  return `${seconds} s  ${fitText(printable(row.id), 12)}  ${fitText(state, 9)}  ${printable(row.task?.reason ?? "")}`;
}

import logUpdate from "log-update";
import type { TaskState } from "../../domain/task.ts";
import type { DeclaredTask } from "../task-file.ts";
import { renderFrame, renderLine } from "./render-progress.ts";
import type { ProgressRow } from "./render-progress.ts";
import type { TryProgress } from "./run-try.ts";

/** How the work is shown while it lasts. */
export interface Display {
  update(progress: TryProgress): void;
  done(): void;
}

/** A picture that is drawn anew in a terminal. */
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

/** A line for each change of state, for logs and pipes. */
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

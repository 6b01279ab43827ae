import type { Task, TaskState } from "../../domain/task.ts";
import { clockText } from "../text/clock-text.ts";
import { cutText, fitText, printable } from "../text/terminal-text.ts";

export interface ProgressRow {
  readonly id: string;
  readonly title: string;
  /** Undefined until the app has seen its card. */
  readonly task: Task | undefined;
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

/** The live picture: one line a task, then a line of counts. */
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

/** One line for each change of state, for logs and pipes. */
export function renderLine(row: ProgressRow, elapsedMs: number): string {
  const state = row.task?.state ?? "waiting";
  const seconds = (elapsedMs / 1000).toFixed(1).padStart(6);
  return `${seconds} s  ${fitText(printable(row.id), 12)}  ${fitText(state, 9)}  ${printable(row.task?.reason ?? "")}`;
}

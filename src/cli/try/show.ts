import logUpdate from "log-update";
import type { DeclaredTask } from "../input/task-file.ts";
import { cutText, fitText, printable } from "../text/terminal-text.ts";
import { clockText } from "../text/timeline.ts";
import type { TryProgress } from "./run-try.ts";
import { PHASE_WORDS, reasonAt } from "./view.ts";
import type { Phase, TaskView } from "./view.ts";

/** A display shows the work while it lasts. */
export interface Display {
  /** Says what is done before the first task starts, and for how long already. */
  prepare(words: string, elapsedMs: number): void;
  /** Says something once, between the pictures. */
  say(words: string): void;
  update(progress: TryProgress): void;
  done(): void;
}

const MARKS: Readonly<Record<Phase, string>> = {
  waiting: "·",
  blocked: "✗",
  running: "▶",
  verifying: "▷",
  review: "◆",
  queued: "◇",
  landed: "✔",
  failed: "✗",
  cancelled: "✗",
};

/** These go nowhere by themselves, so how long they have been so is of no interest. */
const AT_REST: ReadonlySet<Phase> = new Set(["landed", "failed", "cancelled", "blocked"]);
/** While a task is in one of these, a new reason is worth a line. */
const TALKATIVE: ReadonlySet<Phase> = new Set(["waiting", "review", "queued"]);

/** Draws a picture in a terminal anew at each step. */
export function liveDisplay(tasks: readonly DeclaredTask[]): Display {
  const width = (): number => process.stdout.columns || 100;
  return {
    prepare: (words, elapsedMs) => {
      logUpdate(cutText(`${clockText(elapsedMs)}  ${printable(words)}`, width()));
    },
    say: (words) => {
      logUpdate.clear();
      console.log(words);
    },
    update: (progress) => {
      logUpdate(renderFrame(rowsOf(tasks, progress), { ...progress, width: width() }));
    },
    done: () => {
      logUpdate.done();
    },
  };
}

/** Prints a line for each change of state, for logs and pipes. */
export function plainDisplay(tasks: readonly DeclaredTask[]): Display {
  const shown = new Map<string, TaskView>();
  const prepared = new Set<string>();
  return {
    prepare: (words) => {
      if (!prepared.has(words)) console.log(words);
      prepared.add(words);
    },
    say: (words) => {
      console.log(words);
    },
    update: (progress) => {
      for (const row of rowsOf(tasks, progress)) {
        const before = shown.get(row.id);
        if (row.view === undefined || !isNews(row.view, before)) continue;
        shown.set(row.id, row.view);
        console.log(renderLine(row, progress, before));
      }
    },
    done: () => undefined,
  };
}

function isNews(view: TaskView, before: TaskView | undefined): boolean {
  if (view.phase !== before?.phase) return true;
  return TALKATIVE.has(view.phase) && view.reason !== before.reason;
}

export function silentDisplay(): Display {
  return {
    prepare: () => undefined,
    say: (words) => {
      console.error(words);
    },
    update: () => undefined,
    done: () => undefined,
  };
}

/** Cards that were made during the trial come after those of the file. */
function rowsOf(declared: readonly DeclaredTask[], progress: TryProgress): readonly ProgressRow[] {
  const titles = new Map(declared.map(({ id, title }) => [id, title]));
  return [...progress.tasks].map(([id, view]) => ({ id, title: titles.get(id) ?? "", view }));
}

interface ProgressRow {
  readonly id: string;
  readonly title: string;
  /** It is undefined until the app has seen its card. */
  readonly view: TaskView | undefined;
}

type Moment = Pick<TryProgress, "elapsedMs" | "now">;

/** Draws the live picture: one line a task, then a line of counts. */
export function renderFrame(
  rows: readonly ProgressRow[],
  { elapsedMs, now, width }: Moment & { readonly width: number },
): string {
  const idWidth = Math.min(16, Math.max(...rows.map(({ id }) => id.length)));
  const lines = rows.map(({ id, title, view }) => {
    const phase = view?.phase ?? "waiting";
    const head = `${MARKS[phase]} ${fitText(printable(id), idWidth)}  ${fitText(PHASE_WORDS[phase], 9)}`;
    const time = view === undefined || AT_REST.has(phase) ? "" : clockText(now - view.since);
    const words = view === undefined ? title : reasonAt(view, now);
    return cutText(`${head}  ${fitText(time, 5, "right")}  ${printable(words)}`, width);
  });
  const count = (...phases: readonly Phase[]): number =>
    rows.filter(({ view }) => view !== undefined && phases.includes(view.phase)).length;
  const parts = [
    `${count("running")} running`,
    `${count("verifying")} verifying`,
    `${count("review", "queued")} in review`,
    `${count("landed")} of ${rows.length} landed`,
  ];
  return [...lines, "", cutText(`${clockText(elapsedMs)}  ${parts.join(", ")}`, width)].join("\n");
}

/** Writes one line for a change of state, for logs and pipes. */
export function renderLine(
  { id, view }: ProgressRow,
  { elapsedMs, now }: Moment,
  before?: TaskView,
): string {
  const phase = view?.phase ?? "waiting";
  const words =
    view === undefined ? "" : `${printable(reasonAt(view, now))}${lasted(view, before)}`;
  return `${seconds(elapsedMs).padStart(8)}  ${fitText(printable(id), 12)}  ${fitText(PHASE_WORDS[phase], 9)}  ${words}`;
}

/** Says how long the state before was, where somebody or something was at work in it. */
function lasted(view: TaskView, before: TaskView | undefined): string {
  if (before === undefined || before.phase === view.phase || before.phase === "waiting") return "";
  return ` (after ${seconds(view.since - before.since)} ${PHASE_WORDS[before.phase]})`;
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}

import { WHEREABOUTS, whyAt } from "../../domain/story/reason-of.ts";
import type { Whereabouts } from "../../domain/story/reason-of.ts";
import type { DeclaredTask } from "../input/task-file.ts";
import { cutText, fitText, printable } from "../text/terminal-text.ts";
import { clockText, secondsText } from "../text/timeline.ts";
import { drawnDisplay, printedDisplay } from "../trial/display.ts";
import type { Display } from "../trial/display.ts";
import type { TryProgress } from "./run-try.ts";
import type { TaskView } from "./view.ts";

const MARKS: Readonly<Record<Whereabouts, string>> = {
  waiting: "·",
  blocked: "✗",
  starting: "▶",
  running: "▶",
  verifying: "▷",
  exploring: "▶",
  review: "◆",
  rework: "◆",
  "train-queued": "◇",
  "train-verifying": "◇",
  "train-verified": "◇",
  "train-landing": "◇",
  "train-paused": "◇",
  "train-halted": "✗",
  landed: "✔",
  failed: "✗",
  cancelled: "✗",
};

/** The longest label has so many characters. */
const LABEL_WIDTH = 13;
/** These go nowhere by themselves, so how long they have been so is of no interest. */
const AT_REST: ReadonlySet<Whereabouts> = new Set(["landed", "failed", "cancelled", "blocked"]);
/** While a task is in one of these, a new reason is worth a line. */
const TALKATIVE: ReadonlySet<Whereabouts> = new Set(["waiting", "review", "rework"]);

/** Draws a picture in a terminal anew at each step. */
export function liveDisplay(tasks: readonly DeclaredTask[]): Display<TryProgress> {
  return drawnDisplay((progress, width) =>
    renderFrame(rowsOf(tasks, progress), { ...progress, width }),
  );
}

/** Prints a line for each change of state, for logs and pipes. */
export function plainDisplay(tasks: readonly DeclaredTask[]): Display<TryProgress> {
  const shown = new Map<string, TaskView>();
  return printedDisplay((progress, say) => {
    for (const row of rowsOf(tasks, progress)) {
      const before = shown.get(row.id);
      if (row.view === undefined || !isNews(row.view, before)) continue;
      shown.set(row.id, row.view);
      say(renderLine(row, progress, before));
    }
  });
}

function isNews(view: TaskView, before: TaskView | undefined): boolean {
  if (view.whereabouts !== before?.whereabouts) return true;
  return TALKATIVE.has(view.whereabouts) && view.why !== before.why;
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
    const at = view?.whereabouts ?? "waiting";
    const head = `${MARKS[at]} ${fitText(printable(id), idWidth)}  ${fitText(WHEREABOUTS[at].label, LABEL_WIDTH)}`;
    const time = view === undefined || AT_REST.has(at) ? "" : clockText(now - view.since);
    const words = view === undefined ? title : whyAt(view, now);
    return cutText(`${head}  ${fitText(time, 5, "right")}  ${printable(words)}`, width);
  });
  const count = (...places: readonly Whereabouts[]): number =>
    rows.filter(({ view }) => view !== undefined && places.includes(view.whereabouts)).length;
  const parts = [
    `${count("starting", "running", "exploring")} running`,
    `${count("verifying")} verifying`,
    `${count("review", "rework")} in review`,
    `${count(...IN_TRAIN)} in the train`,
    `${count("landed")} of ${rows.length} landed`,
  ];
  return [...lines, "", cutText(`${clockText(elapsedMs)}  ${parts.join(", ")}`, width)].join("\n");
}

const IN_TRAIN: readonly Whereabouts[] = [
  "train-queued",
  "train-verifying",
  "train-verified",
  "train-landing",
  "train-paused",
  "train-halted",
];

/** Writes one line for a change of state, for logs and pipes. */
export function renderLine(
  { id, view }: ProgressRow,
  { elapsedMs, now }: Moment,
  before?: TaskView,
): string {
  const { label } = WHEREABOUTS[view?.whereabouts ?? "waiting"];
  const words = view === undefined ? "" : `${printable(whyAt(view, now))}${lasted(view, before)}`;
  return `${secondsText(elapsedMs).padStart(8)}  ${fitText(printable(id), 12)}  ${fitText(label, LABEL_WIDTH)}  ${words}`;
}

/** Says how long the state before was, where somebody or something was at work in it. */
function lasted(view: TaskView, before: TaskView | undefined): string {
  if (before === undefined || before.whereabouts === view.whereabouts) return "";
  if (before.whereabouts === "waiting" || before.whereabouts === "starting") return "";
  const { label } = WHEREABOUTS[before.whereabouts];
  return ` (after ${secondsText(view.since - before.since)} ${label})`;
}

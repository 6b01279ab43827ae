import type { TaskId } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import type { AloneReason } from "./conflicts/conflict-task.ts";
import type { DispatchDecision, Holding } from "./starts/decide-starts.ts";
import { wordOverlap } from "./starts/obstacle.ts";
import type { WaitCode, Waiting } from "./starts/obstacle.ts";
import type { NumberedWaves } from "./waves/assign-waves.ts";
import type { Backlog } from "./waves/backlog.ts";
import { taskName } from "./waves/task-name.ts";

export interface ExplainView {
  readonly backlog: Backlog;
  readonly holding: readonly Holding[];
  readonly decision: DispatchDecision;
  readonly numbered: NumberedWaves;
}

/** Tells people in sentences what a task waits for, where the plan has it, and what would change that. A task at work has its place alone. */
export function explain(id: TaskId, view: ExplainView): readonly string[] {
  const at = view.backlog.positions.get(id);
  const task = at === undefined ? undefined : view.backlog.tasks[at];
  if (at === undefined || task === undefined) return [];
  const waiting = view.decision.waiting.find((one) => one.id === id);
  if (waiting === undefined) return [...startOf(id, view), ...place(at, view)];
  return [
    waiting.reason,
    ...rivals(task, waiting, view),
    ...nextSlot(waiting),
    ...place(at, view),
    ...changes(at, waiting, view),
  ];
}

/** Says why a task is in this wave and not in an earlier one. It is undefined when nothing keeps the task from being first. */
export function explainWave(
  at: number,
  wave: number,
  { backlog, waves }: { readonly backlog: Backlog; readonly waves: readonly (readonly number[])[] },
): string | undefined {
  const task = backlog.tasks[at];
  const before = waves.slice(0, wave).reverse().flat();
  const reason = backlog.graph.alone(at);
  if (reason !== undefined) return `runs alone: ${wordAlone(reason)}`;
  const needed = before.find((other) => backlog.dependencies.before[at]?.includes(other));
  if (needed !== undefined) return `depends on ${nameAt(needed, at, backlog)}`;
  const rival = before.find((other) => backlog.graph.conflicts(at, other));
  const blocker = rival === undefined ? undefined : backlog.tasks[rival];
  if (rival === undefined || task === undefined || blocker === undefined) return undefined;
  if (backlog.alone[rival] === true) return `${nameAt(rival, at, backlog)} runs alone`;
  return `${nameAt(rival, at, backlog)}: ${wordOverlap(task, blocker.id, backlog)}`;
}

function startOf(id: TaskId, { decision }: ExplainView): readonly string[] {
  const start = decision.starts.find((one) => one.id === id);
  return start === undefined ? [] : [`starts now: ${start.reason}`];
}

/** Names the other tasks that hold its paths, besides the one that the reason names. */
function rivals(task: PlannableTask, { obstacle }: Waiting, view: ExplainView): readonly string[] {
  const { backlog } = view;
  const at = backlog.positions.get(task.id) ?? -1;
  if (obstacle.kind !== "behind" || backlog.alone[at] === true) return [];
  return view.holding.flatMap(({ id }) => {
    const other = backlog.positions.get(id);
    if (other === undefined || id === obstacle.blocker) return [];
    if (!backlog.graph.conflicts(at, other)) return [];
    return [`also waits for ${taskName(id, task.id)}: ${wordOverlap(task, id, backlog)}`];
  });
}

function nextSlot({ id, obstacle }: Waiting): readonly string[] {
  if (obstacle.kind !== "no-slot" || obstacle.blocker === undefined) return [];
  return [`the next slot is expected when ${taskName(obstacle.blocker, id)} ends`];
}

function place(at: number, { backlog, numbered }: ExplainView): readonly string[] {
  const { first, waves } = numbered;
  const wave = waves.findIndex((members) => members.includes(at));
  if (wave < 0) return [];
  const why = explainWave(at, wave, { backlog, waves });
  const last = first + waves.length - 1;
  return [`is in wave ${first + wave} of ${last}${why === undefined ? "" : `: ${why}`}`];
}

function changes(at: number, waiting: Waiting, { backlog }: ExplainView): readonly string[] {
  const alone = backlog.graph.alone(at);
  const isHeldByClaims = waiting.code === "runs-alone" || waiting.code === "conflict";
  const hint = alone !== undefined && isHeldByClaims ? ALONE[alone.kind] : HINTS[waiting.code];
  return [`what would change that: ${hint}`];
}

const ALONE: Readonly<Record<AloneReason["kind"], string>> = {
  exclusive: "remove the label exclusive",
  "not-parallel-safe": "label it parallel-safe, or label its parent",
  "no-writes": "declare the files that it may change",
  barrier: "leave such files to another task",
  unreadable: "correct the pattern",
};

const HINTS: Readonly<Record<WaitCode, string>> = {
  conflict: "land the other task, or narrow the files of one of the two",
  dependency: "land that task, or remove the dependency",
  "kept-out": "land that task",
  "plan-order": "run the tasks of this plan in any order",
  reserved: "nothing has to be done, its turn comes next; a shorter task would fit in before",
  stopped: "retry or cancel the failed task",
  wave: "set schedule to rolling",
  "review-limit": "review one of the waiting pull requests, or raise the limit",
  "no-slot": "more slots, or a higher priority",
  "runner-unknown": "configure that runner, or remove the label",
  "bad-claim": "correct the declared files",
  "bad-task": "correct the issue",
  "dependency-cycle": "remove one of these dependencies",
  "dependency-failed": "retry that task, or remove the dependency",
  "dependency-not-planned": "make that task ready, or remove the dependency",
  "dependency-unknown": "correct the dependency",
  "no-permission": "grant the permission, or take the path out of the declared files",
  "out-of-reach": "take the path out of the declared files",
  "to-confirm": "say /explore go, or ask for less in its section Explore",
  "over-budget": "raise the budget, or take the card away and move it to Ready again",
  "runner-paused":
    "it passes at the time that is said, or when somebody lifts it (wavetrain runners lift); or name another runner",
  paused: "someone with write access says /resume",
  budget: "nothing has to be done, it passes; or raise the budget",
  untrusted: "someone with write access moves it to Ready",
  "runs-alone": "land the tasks before it",
  finishing:
    "nothing has to be done, it passes; or let more changes be verified at once (finishing)",
  publishing: "nothing has to be done, it passes",
  "launch-delay": "nothing has to be done, it passes; or a shorter launchDelay",
  "retry-delay": "nothing has to be done, it passes; or say /retry",
};

/** Words the phrase that follows "runs alone: ". */
function wordAlone(reason: AloneReason): string {
  switch (reason.kind) {
    case "exclusive":
      return "it is labelled exclusive";
    case "not-parallel-safe":
      return "it is not labelled parallel-safe";
    case "no-writes":
      return "it declares no files that it may change";
    case "barrier":
      return `${reason.pattern} affects every other file`;
    case "unreadable":
      return `${reason.pattern} cannot be read (${reason.reason})`;
  }
}

function nameAt(other: number, at: number, { tasks }: Backlog): string {
  const [task, beside] = [tasks[other], tasks[at]];
  return task && beside ? taskName(task.id, beside.id) : "another task";
}

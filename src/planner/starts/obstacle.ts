import { instant } from "../../domain/ids.ts";
import type { Instant, TaskId } from "../../domain/ids.ts";
import type { BlockedCode, PlannableTask } from "../../domain/plan.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { formatInstant } from "../../shared/format.ts";
import { plainName } from "../../shared/quote.ts";
import type { Backlog } from "../waves/backlog.ts";
import { taskName } from "../waves/task-name.ts";

/** This is the first thing that keeps a task from starting. */
export type Obstacle =
  | { readonly kind: "blocked"; readonly code: BlockedCode; readonly reason: string }
  | { readonly kind: "behind"; readonly code: BehindCode; readonly blocker: TaskId }
  | {
      readonly kind: "no-slot";
      readonly code: "no-slot";
      readonly of: SlotKind;
      /** This task's run is expected to free a slot first. */
      readonly blocker: TaskId | undefined;
    }
  | { readonly kind: "runner"; readonly code: "runner-unknown"; readonly runner: string }
  | { readonly kind: "review-limit"; readonly code: "review-limit"; readonly limit: number }
  | {
      readonly kind: "runner-paused";
      readonly code: "runner-paused";
      readonly runner: string;
      readonly because: string;
      /** It is undefined when only a person can end the pause. */
      readonly until: Instant | undefined;
    }
  | ({ readonly kind: "held" } & StartBan)
  | {
      readonly kind: "pause";
      readonly code: PauseCode;
      readonly until: Instant;
    };

/** A ban keeps everything new from starting; `reason` is a sentence for people. */
export interface StartBan {
  readonly code: "budget" | "finishing" | "paused" | "publishing";
  readonly reason: string;
  /** It is undefined when only a person can end the ban. */
  readonly until: Instant | undefined;
}

/** Such a pause passes by itself at a known moment. */
export type PauseCode = "launch-delay" | "retry-delay";

/** The task waits for one other task. It is `runs-alone` if it runs alone itself, and `kept-out` if the other does. */
export type BehindCode =
  | "conflict"
  | "dependency"
  | "kept-out"
  | "plan-order"
  | "reserved"
  | "runs-alone"
  | "stopped"
  | "wave";

export type WaitCode = Obstacle["code"];

export type SlotKind =
  | { readonly kind: "overall" }
  | { readonly kind: "repository" }
  | { readonly kind: "parent"; readonly parent: TaskId }
  | { readonly kind: "runner"; readonly runner: string }
  | { readonly kind: "memory"; readonly runner: string | undefined };

interface Surroundings {
  readonly backlog: Backlog;
  /** Says when the tasks that hold claims are expected to release them. */
  readonly ends: ReadonlyMap<TaskId, number | undefined>;
}

/** This is a task that does not start now, and the reason. */
export class Waiting {
  readonly id: TaskId;
  readonly code: WaitCode;
  readonly obstacle: Obstacle;
  readonly #task: PlannableTask;
  readonly #surroundings: Surroundings;

  constructor(task: PlannableTask, obstacle: Obstacle, surroundings: Surroundings) {
    this.id = task.id;
    this.code = obstacle.code;
    this.obstacle = obstacle;
    this.#task = task;
    this.#surroundings = surroundings;
  }

  /** Words the reason for people only when it is read: finding the example path costs a search, and thousands may wait. */
  get reason(): string {
    return wordObstacle(this.obstacle, this.#task, this.#surroundings.backlog);
  }

  /** Says when the obstacle is expected to be gone. */
  get until(): Instant | undefined {
    const { obstacle } = this;
    if ("until" in obstacle) return obstacle.until;
    const blocker = "blocker" in obstacle ? obstacle.blocker : undefined;
    const endsAt = blocker === undefined ? undefined : this.#surroundings.ends.get(blocker);
    return endsAt === undefined ? undefined : instant(endsAt);
  }

  toJSON() {
    return { id: this.id, code: this.code, reason: this.reason, until: this.until };
  }
}

/** Words the sentence that people read on the issue, in the dashboard and in the terminal. */
function wordObstacle(obstacle: Obstacle, task: PlannableTask, backlog: Backlog): string {
  switch (obstacle.kind) {
    case "blocked":
      return obstacle.reason;
    case "behind":
      return BEHIND[obstacle.code](taskName(obstacle.blocker, task.id), () =>
        wordOverlap(task, obstacle.blocker, backlog),
      );
    case "no-slot":
      return wordSlot(obstacle.of, task);
    case "runner":
      return `no runner is called ${plainName(obstacle.runner)}`;
    case "review-limit":
      return `waits for reviews: ${obstacle.limit} or more pull requests are waiting for one`;
    case "runner-paused":
      return wordPause(obstacle.runner, obstacle);
    case "held":
      return obstacle.reason;
    case "pause":
      return PAUSES[obstacle.code];
    default:
      return assertNever(obstacle);
  }
}

const PAUSES: Readonly<Record<PauseCode, string>> = {
  "launch-delay": "starts in a moment: launches are staggered",
  "retry-delay": "will be tried again after a pause",
};

/** Words it like `codex is paused until 2026-01-05 14:03 UTC (its provider's limit)`. */
export function wordPause(
  runner: string,
  { until, because }: { readonly until: Instant | undefined; readonly because: string },
): string {
  const end = until === undefined ? "somebody lifts it" : formatInstant(until);
  return `${runner} is paused until ${end} (${because})`;
}

const BEHIND: Readonly<Record<BehindCode, (name: string, overlap: () => string) => string>> = {
  conflict: (name, overlap) => `waits for ${name}: ${overlap()}`,
  dependency: (name) => `waits for ${name} to land: it depends on it`,
  "kept-out": (name) => `waits for ${name}, which runs alone`,
  "plan-order": (name, overlap) => `keeps its place behind ${name}: ${overlap()}`,
  reserved: (name) => `lets ${name} go first: it has waited too long, and this would delay it`,
  "runs-alone": (name) => `runs alone: waits for ${name} to land`,
  stopped: (name) => `nothing new starts: ${name} failed and onFailure is stop-wave`,
  wave: (name) => `waits for an earlier wave to end: ${name} is in it`,
};

/** Words it like `both may write src/auth/session.ts`. */
export function wordOverlap(task: PlannableTask, otherId: TaskId, backlog: Backlog): string {
  const at = backlog.positions.get(task.id);
  const other = backlog.positions.get(otherId);
  if (at === undefined || other === undefined) return "their claims overlap";
  if (backlog.alone[at] === true) return "it runs alone";
  if (backlog.alone[other] === true) return "that one runs alone";
  const example = backlog.graph.example(Math.min(at, other), Math.max(at, other));
  if (example === undefined) return "their claims overlap";
  const reads = [task, backlog.tasks[other]].some((one) =>
    one?.claims.some((claim) => claim.mode === "read"),
  );
  return `both may ${reads ? "touch" : "write"} ${plainName(example)}`;
}

/** Does not name the run that ends first: each start would give every waiting task another sentence, and the store another event. */
function wordSlot(kind: SlotKind, task: PlannableTask): string {
  switch (kind.kind) {
    case "overall":
      return "no slot is free";
    case "repository":
      return "no slot for this repository is free";
    case "parent":
      return `no slot for tasks of ${taskName(kind.parent, task.id)} is free`;
    case "runner":
      return `no ${kind.runner} slot is free`;
    case "memory":
      return `waits for memory: the host has too little left for another ${kind.runner === undefined ? "" : `${kind.runner} `}run`;
    default:
      return assertNever(kind);
  }
}

import type { Instant, TaskId } from "../domain/ids.ts";
import type { BlockedCode, PlannableTask } from "../domain/plan.ts";
import { assertNever } from "../shared/assert-never.ts";
import { formatInstant } from "../shared/format-time.ts";
import { plainName } from "../shared/plain-name.ts";
import type { Backlog } from "./backlog.ts";
import { taskName } from "./task-name.ts";

/** The first thing that keeps a task from starting. */
export type Obstacle =
  | { readonly kind: "blocked"; readonly code: BlockedCode; readonly reason: string }
  | { readonly kind: "behind"; readonly code: BehindCode; readonly blocker: TaskId }
  | {
      readonly kind: "no-slot";
      readonly code: "no-slot";
      readonly of: SlotKind;
      /** The run that is expected to free one first. */
      readonly blocker: TaskId | undefined;
    }
  | { readonly kind: "runner"; readonly code: "runner-unknown"; readonly runner: string }
  | { readonly kind: "review-limit"; readonly code: "review-limit"; readonly limit: number }
  | {
      readonly kind: "runner-paused";
      readonly code: "runner-paused";
      readonly runner: string;
      readonly because: string;
      readonly until: Instant;
    }
  | ({ readonly kind: "held" } & Hold)
  | {
      readonly kind: "pause";
      readonly code: PauseCode;
      readonly until: Instant;
    };

/** What keeps everything new from starting; `reason` is a sentence for people. */
export interface Hold {
  readonly code: "budget" | "finishing" | "paused" | "publishing";
  readonly reason: string;
  /** Undefined when only a person can end it. */
  readonly until: Instant | undefined;
}

/** Passes by itself at a known moment. */
export type PauseCode = "launch-delay" | "retry-delay";

/** Waits for one other task. `runs-alone`: because it runs alone itself; `kept-out`: because the other does. */
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

/** The sentence that people read on the issue, in the dashboard and in the terminal. */
export function wordObstacle(obstacle: Obstacle, task: PlannableTask, backlog: Backlog): string {
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

/** `codex is paused until 2026-01-05 14:03 UTC (its provider's limit)`. */
export function wordPause(
  runner: string,
  { until, because }: { readonly until: Instant; readonly because: string },
): string {
  return `${runner} is paused until ${formatInstant(until)} (${because})`;
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

/** `both may write src/auth/session.ts`. */
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

/** Names no run that ends first: each start would give every task that waits another sentence, and the store another event. */
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

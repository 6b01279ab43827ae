import type { Claim } from "./claim/claim.ts";
import type { Instant, TaskId } from "./ids.ts";

export type Priority = "high" | "normal" | "low";
export type Size = "s" | "m" | "l" | "xl";

/** The planner knows this of a task: its rules, not its history. */
export interface PlannableTask {
  readonly id: TaskId;
  /** The issue number or the position in the file is the last tie-break; it is unique within one plan. */
  readonly order: number;
  readonly title: string;
  readonly claims: readonly Claim[];
  readonly dependsOn: readonly TaskId[];
  readonly parallelSafe: boolean;
  readonly exclusive: boolean;
  readonly priority: Priority;
  readonly size: Size | undefined;
  readonly parent: TaskId | undefined;
  readonly runner: string | undefined;
  readonly readySince: Instant;
  /** One run is expected to take this long (p50), by history or by the task file. */
  readonly estimateMs: number;
  /** It is set when reading the task already found it unusable: the task is reported as blocked, never planned. */
  readonly invalid: Blocked["cause"] | undefined;
}

export type BlockedCode =
  | "bad-claim"
  | "bad-task"
  | "dependency-cycle"
  | "dependency-failed"
  | "dependency-not-planned"
  | "dependency-unknown"
  | "no-permission"
  | "out-of-reach"
  | "over-budget"
  | "to-confirm"
  | "untrusted";

/** This task cannot be planned; `reason` is a sentence for people. */
export interface Blocked {
  readonly id: TaskId;
  readonly cause: { readonly code: BlockedCode; readonly reason: string };
}

/** These two tasks may not run at the same time. `example` is a path that both may touch. */
export interface Conflict {
  readonly a: TaskId;
  readonly b: TaskId;
  readonly example: string;
}

/** Says what is known of a dependency that is not among the tasks being planned; `open` means it is not ready yet. */
export type DependencyFact = "landed" | "failed" | "not-planned" | "open";

/** The plan expects a task to run then, in milliseconds from the start of the plan. */
export interface Scheduled {
  readonly id: TaskId;
  readonly startMs: number;
  readonly endMs: number;
  /** Slots are counted from 0. */
  readonly slot: number;
}

/** `waves` are for people; dispatch is rolling unless the configuration asks for barriers. */
export interface Plan {
  readonly waves: readonly (readonly TaskId[])[];
  readonly blocked: readonly Blocked[];
  /** The tasks are sorted by planned start. Run in this order one by one, they give the same tree as in parallel. */
  readonly order: readonly TaskId[];
  readonly schedule: readonly Scheduled[];
  readonly makespanMs: number;
  /** No schedule can end earlier. */
  readonly lowerBoundMs: number;
}

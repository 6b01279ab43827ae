import type { Instant, TaskId } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import type { SlotKind } from "./obstacle.ts";

/** Slots that are free now. What is not mentioned is not limited. */
export interface FreeSlots {
  readonly overall: number;
  readonly repository?: number;
  /** By runner name. When given, a runner that is not in it does not exist. */
  readonly runners?: ReadonlyMap<string, number>;
  readonly defaultRunner?: string;
  readonly pausedRunners?: ReadonlyMap<string, Instant>;
  readonly parents?: ReadonlyMap<TaskId, number>;
}

/** Counts free slots down as one round of dispatch takes them. */
export class SlotLedger {
  readonly #free: FreeSlots;
  readonly #runners: Map<string, number>;
  readonly #parents: Map<TaskId, number>;
  #overall: number;
  #repository: number;

  constructor(free: FreeSlots) {
    this.#free = free;
    this.#runners = new Map(free.runners);
    this.#parents = new Map(free.parents);
    this.#overall = free.overall;
    this.#repository = free.repository ?? Infinity;
  }

  get isEmpty(): boolean {
    return this.#overall <= 0 || this.#repository <= 0;
  }

  runnerOf(task: PlannableTask): string | undefined {
    return task.runner ?? this.#free.defaultRunner;
  }

  /** Whether the runner that the task asks for exists at all. */
  hasRunner(runner: string | undefined): boolean {
    return this.#free.runners === undefined || runner === undefined || this.#runners.has(runner);
  }

  pausedUntil(runner: string | undefined): Instant | undefined {
    return runner === undefined ? undefined : this.#free.pausedRunners?.get(runner);
  }

  missingFor(task: PlannableTask): SlotKind | undefined {
    if (this.#overall <= 0) return { kind: "overall" };
    if (this.#repository <= 0) return { kind: "repository" };
    const { parent } = task;
    if (parent !== undefined && (this.#parents.get(parent) ?? Infinity) <= 0) {
      return { kind: "parent", parent };
    }
    const runner = this.runnerOf(task);
    if (runner !== undefined && (this.#runners.get(runner) ?? Infinity) <= 0) {
      return { kind: "runner", runner };
    }
    return undefined;
  }

  take(task: PlannableTask): void {
    this.#add(task, -1);
  }

  give(task: PlannableTask): void {
    this.#add(task, 1);
  }

  #add(task: PlannableTask, change: number): void {
    this.#overall += change;
    this.#repository += change;
    const runner = this.runnerOf(task);
    const ofRunner = runner === undefined ? undefined : this.#runners.get(runner);
    if (runner !== undefined && ofRunner !== undefined)
      this.#runners.set(runner, ofRunner + change);
    const ofParent = task.parent === undefined ? undefined : this.#parents.get(task.parent);
    if (task.parent !== undefined && ofParent !== undefined) {
      this.#parents.set(task.parent, ofParent + change);
    }
  }
}

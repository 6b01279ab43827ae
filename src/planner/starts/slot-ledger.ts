import type { Instant, TaskId } from "../../domain/ids.ts";
import type { PlannableTask } from "../../domain/plan.ts";
import type { SlotKind } from "./obstacle.ts";

/** Says until when a runner takes nothing, and why, as part of a sentence. */
export interface RunnerPause {
  /** It is undefined when only a person can end the pause. */
  readonly until: Instant | undefined;
  readonly because: string;
}

/** Says which runners may take a task. */
export interface Route {
  /** The wanted runner comes first, then those that may replace it, best first. */
  readonly runners: readonly string[];
  /** If the wanted runner is only busy, the task waits for it until then. */
  readonly patientUntil: Instant;
}

export interface FreeMemory {
  /** Counts the bytes beyond those that are kept free. It is negative when the host is short of memory. */
  readonly bytes: number;
  /** Says how many bytes one run of a runner needs. */
  readonly perRun: ReadonlyMap<string, number>;
}

/** Counts the slots that are free now. Whatever is not mentioned is not limited. */
export interface FreeSlots {
  readonly overall: number;
  readonly repository?: number;
  /** Slots are counted by the runner's name. If this is given, a runner that is not in it does not exist. */
  readonly runners?: ReadonlyMap<string, number>;
  readonly defaultRunner?: string;
  readonly pausedRunners?: ReadonlyMap<string, RunnerPause>;
  /** Holds a route for each task. A task without one goes to the runner that it names, or to the default. */
  readonly routes?: ReadonlyMap<TaskId, Route>;
  readonly memory?: FreeMemory;
  readonly parents?: ReadonlyMap<TaskId, number>;
}

/** Counts free slots down as one round of dispatch takes them. */
export class SlotLedger {
  readonly #free: FreeSlots;
  readonly #now: number;
  readonly #runners: Map<string, number>;
  readonly #parents: Map<TaskId, number>;
  /** Remembers the runner that each task was given. */
  readonly #given = new Map<TaskId, string | undefined>();
  #overall: number;
  #repository: number;
  #memory: number;

  constructor(free: FreeSlots, now = 0) {
    this.#free = free;
    this.#now = now;
    this.#runners = new Map(free.runners);
    this.#parents = new Map(free.parents);
    this.#overall = free.overall;
    this.#repository = free.repository ?? Infinity;
    this.#memory = free.memory?.bytes ?? Infinity;
  }

  get isEmpty(): boolean {
    return this.#overall <= 0 || this.#repository <= 0;
  }

  /** Names the runner that the task asks for. */
  wantedBy(task: PlannableTask): string | undefined {
    return this.#free.routes?.get(task.id)?.runners[0] ?? task.runner ?? this.#free.defaultRunner;
  }

  /** Names the runner that takes the task now or, when none can, the wanted one. */
  runnerFor(task: PlannableTask): string | undefined {
    if (this.#given.has(task.id)) return this.#given.get(task.id);
    const wanted = this.wantedBy(task);
    const route = this.#free.routes?.get(task.id);
    if (route === undefined || wanted === undefined || this.#isOpen(wanted)) return wanted;
    const mayWait = this.pauseOf(wanted) === undefined && this.#now < route.patientUntil;
    return (mayWait ? undefined : route.runners.find((name) => this.#isOpen(name))) ?? wanted;
  }

  /** Says whether the runner that the task asks for exists at all. */
  hasRunner(runner: string | undefined): boolean {
    return this.#free.runners === undefined || runner === undefined || this.#runners.has(runner);
  }

  pauseOf(runner: string | undefined): RunnerPause | undefined {
    const pause = runner === undefined ? undefined : this.#free.pausedRunners?.get(runner);
    return pause !== undefined && (pause.until ?? Infinity) > this.#now ? pause : undefined;
  }

  missingFor(task: PlannableTask): SlotKind | undefined {
    if (this.#overall <= 0) return { kind: "overall" };
    if (this.#repository <= 0) return { kind: "repository" };
    const { parent } = task;
    if (parent !== undefined && (this.#parents.get(parent) ?? Infinity) <= 0) {
      return { kind: "parent", parent };
    }
    const runner = this.runnerFor(task);
    if (runner !== undefined && !this.#hasSlot(runner)) return { kind: "runner", runner };
    return this.#memory < this.#memoryOf(runner) ? { kind: "memory", runner } : undefined;
  }

  take(task: PlannableTask): void {
    this.#given.set(task.id, this.runnerFor(task));
    this.#add(task, -1);
  }

  give(task: PlannableTask): void {
    this.#add(task, 1);
    this.#given.delete(task.id);
  }

  /** Says what is still free after everything that was taken. */
  left(): FreeSlots {
    const { memory } = this.#free;
    return {
      ...this.#free,
      overall: this.#overall,
      repository: this.#repository,
      ...(this.#free.runners === undefined ? {} : { runners: new Map(this.#runners) }),
      ...(this.#free.parents === undefined ? {} : { parents: new Map(this.#parents) }),
      ...(memory === undefined ? {} : { memory: { ...memory, bytes: this.#memory } }),
    };
  }

  #isOpen(runner: string): boolean {
    return this.hasRunner(runner) && this.pauseOf(runner) === undefined && this.#hasSlot(runner);
  }

  #hasSlot(runner: string): boolean {
    return (this.#runners.get(runner) ?? Infinity) > 0;
  }

  #memoryOf(runner: string | undefined): number {
    return (runner === undefined ? undefined : this.#free.memory?.perRun.get(runner)) ?? 0;
  }

  #add(task: PlannableTask, change: number): void {
    this.#overall += change;
    this.#repository += change;
    const runner = this.runnerFor(task);
    this.#memory += change * this.#memoryOf(runner);
    const ofRunner = runner === undefined ? undefined : this.#runners.get(runner);
    if (runner !== undefined && ofRunner !== undefined)
      this.#runners.set(runner, ofRunner + change);
    const ofParent = task.parent === undefined ? undefined : this.#parents.get(task.parent);
    if (task.parent !== undefined && ofParent !== undefined) {
      this.#parents.set(task.parent, ofParent + change);
    }
  }
}

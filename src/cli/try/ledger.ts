import type { Change } from "../../domain/change.ts";
import type { EntryId, RunId, TaskId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { Span } from "./result.ts";
import { viewOf } from "./view.ts";
import type { TaskView } from "./view.ts";

type ChangeOf<K extends Change["kind"]> = Extract<Change, { kind: K }>;

/** It folds the app's event log into what has happened so far. */
export class Ledger {
  readonly tasks = new Map<TaskId, Task>();
  readonly runs = new Map<RunId, Run>();
  /** It holds the pauses of each task before further attempts, in milliseconds. */
  readonly pauses = new Map<TaskId, readonly number[]>();
  /** It says why the train stands, while it does. */
  halted: string | undefined;
  readonly #entryTasks = new Map<EntryId, TaskId>();
  /** These tasks are being verified on top of the base since then, and land right after that. */
  readonly #onBaseSince = new Map<TaskId, number>();
  readonly #verifications: Span[] = [];

  add(change: Change): void {
    if (change.kind === "train-moved")
      this.halted = change.to === "halted" ? change.reason : undefined;
    else this.#fold(change);
  }

  #fold(change: Exclude<Change, { kind: "train-moved" }>): void {
    switch (change.kind) {
      case "task-added":
        this.tasks.set(change.task.id, change.task);
        break;
      case "task-respecified":
        this.#patchTask(change.task, { spec: change.spec, specHash: change.specHash });
        break;
      case "task-moved":
        this.#moveTask(change);
        break;
      case "task-explained":
        this.#explainTask(change);
        break;
      case "run-queued":
      case "run-started":
      case "agent-ended":
      case "run-finished":
        this.#moveRun(change);
        break;
      case "entry-added":
      case "entry-moved":
        this.#noteEntry(change);
        break;
      case "task-compacted":
        this.#compactTask(change);
        break;
      case "intent-opened":
      case "intent-closed":
      case "claims-taken":
      case "claims-extended":
      case "command-given":
      case "command-done":
      case "events-folded":
      case "train-added":
      case "verdict-given":
      case "task-vouched":
      case "rework-asked":
        break;
    }
  }

  /** Nobody but the train moves the base of a trial: once the train is halted, only runs under way are worth waiting for. */
  get isStuck(): boolean {
    const runs = [...this.runs.values()];
    return this.halted !== undefined && runs.every(({ state }) => state === "finished");
  }

  /** Returns the task as people should read it: a task that waits for a halted train says so. */
  taskOf(id: TaskId): Task | undefined {
    const task = this.tasks.get(id);
    if (task?.state !== "queued" || this.halted === undefined) return task;
    return { ...task, reason: `the train is halted: ${this.halted}` };
  }

  /** Returns the task as people see it. `verify` is the command that its change has to pass. */
  viewOf(id: TaskId, verify: string | undefined): TaskView | undefined {
    const task = this.taskOf(id);
    if (task === undefined) return undefined;
    const run = [...this.runs.values()].findLast((one) => one.task === id);
    return viewOf(task, { run, onBaseSince: this.#onBaseSince.get(id), verify });
  }

  /** Returns runs that have ended, and verifications, in the order in which they ended. */
  spans(): readonly Span[] {
    const runs = [...this.runs.values()].flatMap(({ task, startedAt, finishedAt }): Span[] =>
      startedAt === undefined || finishedAt === undefined
        ? []
        : [{ task, kind: "run", startedAt, finishedAt }],
    );
    return [...runs, ...this.#verifications].sort((a, b) => a.finishedAt - b.finishedAt);
  }

  #moveRun(change: ChangeOf<"run-queued" | "run-started" | "agent-ended" | "run-finished">): void {
    switch (change.kind) {
      case "run-queued":
        this.runs.set(change.run.id, change.run);
        return;
      case "run-started":
        this.#patchRun(change.run, {
          state: "running",
          startedAt: change.at,
          logPath: change.logPath,
        });
        return;
      case "agent-ended":
        this.#patchRun(change.run, { agentEndedAt: change.at });
        return;
      case "run-finished":
        this.#patchRun(change.run, {
          state: "finished",
          outcome: change.outcome,
          finishedAt: change.at,
          usage: change.usage,
        });
    }
  }

  #moveTask(change: ChangeOf<"task-moved">): void {
    const { notBefore, pull, ...plain } = change.set;
    if (typeof notBefore === "number") {
      const earlier = this.pauses.get(change.task) ?? [];
      this.pauses.set(change.task, [...earlier, notBefore - change.at]);
    }
    this.#patchTask(change.task, {
      ...plain,
      ...(notBefore === undefined ? {} : { notBefore: notBefore ?? undefined }),
      ...(pull === undefined ? {} : { pull: pull ?? undefined }),
      state: change.to,
      reason: change.reason,
      changedAt: change.at,
    });
  }

  #explainTask({ task, reason, wave, notBefore }: ChangeOf<"task-explained">): void {
    const pause = notBefore === undefined ? {} : { notBefore };
    this.#patchTask(task, { reason, wave, ...pause });
  }

  #noteEntry(change: ChangeOf<"entry-added" | "entry-moved">): void {
    if (change.kind === "entry-moved") this.#noteVerification(change);
    else this.#entryTasks.set(change.entry.id, change.entry.task);
  }

  #noteVerification({ entry, set, to, at }: ChangeOf<"entry-moved">): void {
    const task = this.#entryTasks.get(entry);
    if (task === undefined) return;
    if (to === "verifying") this.#onBaseSince.set(task, at);
    if (to === "queued" || to === "rejected" || to === "superseded") this.#onBaseSince.delete(task);
    if (set.evidence === undefined || set.evidence === null) return;
    const { startedAt, finishedAt } = set.evidence;
    this.#verifications.push({ task, kind: "verify", startedAt, finishedAt });
  }

  #compactTask({ task, runs }: ChangeOf<"task-compacted">): void {
    this.tasks.set(task.id, task);
    for (const run of runs) this.runs.set(run.id, run);
  }

  #patchTask(id: TaskId, patch: Partial<Task>): void {
    const task = this.tasks.get(id);
    if (task !== undefined) this.tasks.set(id, { ...task, ...patch });
  }

  #patchRun(id: RunId, patch: Partial<Run>): void {
    const run = this.runs.get(id);
    if (run !== undefined) this.runs.set(id, { ...run, ...patch });
  }
}

import type { Change } from "../../domain/change.ts";
import type { Entry } from "../../domain/entry.ts";
import type { Exploration } from "../../domain/exploration.ts";
import type { EntryId, ExplorationId, RunId, TaskId, TrainId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import { storyOf } from "../../domain/story/task-story.ts";
import type { Task } from "../../domain/task.ts";
import type { Train } from "../../domain/train.ts";
import type { Span } from "../trial/spans.ts";
import { viewOf } from "./view.ts";
import type { TaskView } from "./view.ts";

type ChangeOf<K extends Change["kind"]> = Extract<Change, { kind: K }>;

type TaskChange = ChangeOf<
  | ("task-added" | "task-respecified" | "task-moved" | "task-explained")
  | ("rework-asked" | "task-compacted")
>;

type RunChange = ChangeOf<
  "run-queued" | "run-started" | "agent-ended" | "run-finished" | "run-rebased"
>;

/** It folds the app's event log into what has happened so far. */
export class Ledger {
  readonly tasks = new Map<TaskId, Task>();
  readonly runs = new Map<RunId, Run>();
  /** It holds the pauses of each task before further attempts, in milliseconds. */
  readonly pauses = new Map<TaskId, readonly number[]>();
  readonly #entries = new Map<EntryId, Entry>();
  readonly #explorations = new Map<ExplorationId, Exploration>();
  readonly #trains = new Map<TrainId, Train>();
  readonly #verifications: Span[] = [];

  add(change: Change): void {
    switch (change.kind) {
      case "task-added":
      case "task-respecified":
      case "task-moved":
      case "task-explained":
      case "rework-asked":
      case "task-compacted":
        this.#noteTask(change);
        break;
      case "run-queued":
      case "run-started":
      case "agent-ended":
      case "run-finished":
      case "run-rebased":
        this.#moveRun(change);
        break;
      case "exploration-opened":
      case "exploration-moved":
        this.#noteExploration(change);
        break;
      case "entry-added":
      case "entry-moved":
        this.#noteEntry(change);
        break;
      case "train-added":
        this.#trains.set(change.train.id, change.train);
        break;
      case "train-moved":
        this.#moveTrain(change);
        break;
      case "intent-opened":
      case "intent-closed":
      case "claims-taken":
      case "claims-extended":
      case "command-given":
      case "command-done":
      case "events-folded":
      case "verdict-given":
      case "task-vouched":
      case "runner-lifted":
      case "repo-renamed":
        break;
    }
  }

  /**
   * Nobody but the train moves the base of a trial, and nobody logs its runner in: once the train is halted or a key refused, only runs under
   * way are worth waiting for.
   */
  get isStuck(): boolean {
    const runs = [...this.runs.values()];
    const waitsForPerson =
      [...this.#trains.values()].some(({ state }) => state === "halted") ||
      runs.some(({ outcome }) => outcome?.kind === "not-logged-in");
    return waitsForPerson && runs.every(({ state }) => state === "finished");
  }

  /** Returns the task as people see it. */
  viewOf(id: TaskId): TaskView | undefined {
    const task = this.tasks.get(id);
    if (task === undefined) return undefined;
    const memory = {
      runs: [...this.runs.values()],
      explorations: [...this.#explorations.values()],
      entries: [...this.#entries.values()],
      trains: [...this.#trains.values()],
    };
    return viewOf(storyOf(task, memory));
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

  #noteTask(change: TaskChange): void {
    switch (change.kind) {
      case "task-added":
        this.tasks.set(change.task.id, change.task);
        return;
      case "task-respecified":
        this.#patchTask(change.task, { spec: change.spec, specHash: change.specHash });
        return;
      case "task-moved":
        this.#moveTask(change);
        return;
      case "task-explained":
        this.#explainTask(change);
        return;
      case "rework-asked":
        this.#patchTask(change.task, { rework: change.rework ?? undefined });
        return;
      case "task-compacted":
        this.#compactTask(change);
    }
  }

  #moveRun(change: RunChange): void {
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
        return;
      case "run-rebased":
        this.#patchRun(change.run, { outcome: change.outcome });
    }
  }

  #moveTask(change: ChangeOf<"task-moved">): void {
    const { notBefore, pull, wave, ...plain } = change.set;
    if (typeof notBefore === "number") {
      const earlier = this.pauses.get(change.task) ?? [];
      this.pauses.set(change.task, [...earlier, notBefore - change.at]);
    }
    this.#patchTask(change.task, {
      ...plain,
      ...(notBefore === undefined ? {} : { notBefore: notBefore ?? undefined }),
      ...(pull === undefined ? {} : { pull: pull ?? undefined }),
      ...(wave === undefined ? {} : { wave: wave ?? undefined }),
      rework: undefined,
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
    if (change.kind === "entry-added") {
      this.#entries.set(change.entry.id, change.entry);
      return;
    }
    const { to: state, reason, at: changedAt, set } = change;
    const entry = this.#entries.get(change.entry);
    if (entry === undefined) return;
    this.#entries.set(entry.id, { ...entry, state, reason, changedAt });
    if (set.evidence === undefined || set.evidence === null) return;
    const { startedAt, finishedAt } = set.evidence;
    this.#verifications.push({ task: entry.task, kind: "verify", startedAt, finishedAt });
  }

  #noteExploration(change: ChangeOf<"exploration-opened" | "exploration-moved">): void {
    if (change.kind === "exploration-opened") {
      this.#explorations.set(change.exploration.id, change.exploration);
      return;
    }
    const { exploration: id, to: state, at: changedAt, set } = change;
    const exploration = this.#explorations.get(id);
    if (exploration !== undefined)
      this.#explorations.set(id, { ...exploration, ...set, state, changedAt });
  }

  #moveTrain({ train: id, to: state, reason, at: changedAt, set }: ChangeOf<"train-moved">): void {
    const train = this.#trains.get(id);
    if (train === undefined) return;
    const cause = set.cause === undefined ? train.cause : (set.cause ?? undefined);
    const by = set.by === undefined ? train.by : (set.by ?? undefined);
    this.#trains.set(id, { ...train, state, reason, changedAt, cause, by });
  }

  #compactTask({ task, runs, explorations }: ChangeOf<"task-compacted">): void {
    this.tasks.set(task.id, task);
    for (const one of explorations) this.#explorations.set(one.id, one);
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

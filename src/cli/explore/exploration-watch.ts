import type { RunningApp } from "../../app/run-app.ts";
import { explorationOf, OPENING } from "../../domain/exploration.ts";
import type { Exploration } from "../../domain/exploration.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";

/** This is how far it is. */
export interface ExploreView {
  /** It is undefined until the app has seen the card. */
  readonly task: Task | undefined;
  /** It is undefined until the base is scored. */
  readonly exploration: Exploration | undefined;
  /** These are all runs of the task, oldest first. */
  readonly runs: readonly Run[];
}

/** `winner` has its pull request. `none` ended without one. `refused` could not begin, for what was asked. */
export type ExploreEnd =
  { readonly kind: "winner" | "none" } | { readonly kind: "refused"; readonly why: string };

const MAX_EVENTS = 1000;

/** It looks at the app's store whenever something was written down there. */
export class ExplorationWatch {
  view: ExploreView = { task: undefined, exploration: undefined, runs: [] };
  readonly #store: RunningApp["store"];
  readonly #subject: { readonly repo: RepoName; readonly task: TaskId };
  #last = 0;

  constructor(
    { store }: Pick<RunningApp, "store">,
    subject: { readonly repo: RepoName; readonly task: TaskId },
  ) {
    this.#store = store;
    this.#subject = subject;
  }

  async read(): Promise<ExploreView> {
    const events = await this.#store.events(this.#last, MAX_EVENTS);
    this.#last = events.at(-1)?.seq ?? this.#last;
    if (events.length > 0) this.view = await this.#look();
    return this.view;
  }

  async #look(): Promise<ExploreView> {
    const { repo, task: id } = this.#subject;
    const memory = await this.#store.readRepo(repo);
    const task = memory.tasks.find((one) => one.id === id);
    const exploration = task && explorationOf(task, memory.explorations);
    return { task, exploration, runs: memory.runs.filter((run) => run.task === id) };
  }
}

/** Says how it ended, if it has. */
export function endOf({ task, exploration, runs }: ExploreView): ExploreEnd | undefined {
  if (task === undefined) return undefined;
  switch (task.state) {
    case "review":
    case "queued":
    case "landed":
      return { kind: "winner" };
    case "failed": {
      const opening = runs.findLast(({ contender }) => contender === OPENING);
      const isRefused = exploration === undefined && opening?.outcome?.kind === "cancelled";
      return isRefused ? { kind: "refused", why: task.reason } : { kind: "none" };
    }
    case "cancelled":
    case "blocked":
      return { kind: "none" };
    case "waiting":
    case "running":
      return undefined;
  }
}

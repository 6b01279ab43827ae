import type { RepoReading } from "../domain/board.ts";
import type { Change } from "../domain/change.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Rework } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { decideFeedback, overLimit } from "./decide-feedback.ts";
import type { FeedbackSnapshot } from "./decide-feedback.ts";
import { readRework } from "./read-rework.ts";
import type { Look } from "./read-rework.ts";

export interface FeedbackPass {
  /** A run should go on with these tasks in review. */
  readonly rework: ReadonlyMap<TaskId, Rework>;
  /** Nothing was found for these tasks; the number is the time of the reading that was used. */
  readonly checkedWithoutResult: ReadonlyMap<TaskId, number>;
  readonly again: Instant | undefined;
}

export interface FeedbackSeen extends Pick<FeedbackPass, "checkedWithoutResult"> {
  readonly reading: RepoReading;
  /** It comes from the pass before: rework that waits for a slot is not read again. */
  readonly rework: ReadonlyMap<TaskId, Rework>;
}

/** Finds what people and checks said about our pull requests since their last run. It costs no call while nobody asks for anything. */
export async function tick(
  context: RepoContext,
  seen: FeedbackSeen,
  deps: Pick<Deps, "botLogin" | "clock" | "github" | "store" | "wake">,
): Promise<FeedbackPass> {
  const { tasks, runs } = await deps.store.readRepo(context.repo);
  const pass = new Pass(context, seen, deps);
  for (const task of tasks.filter(({ state }) => state === "review")) {
    const pull = seen.reading.pulls.find(({ number }) => number === task.pull);
    await pass.consider({
      task,
      pull,
      now: deps.clock.now(),
      readAt: seen.reading.readAt,
      runs: runs.filter((run) => run.task === task.id),
      feedback: context.config.feedback,
    });
  }
  return {
    rework: pass.rework,
    checkedWithoutResult: pass.checkedWithoutResult,
    again: pass.again,
  };
}

class Pass {
  readonly rework = new Map<TaskId, Rework>();
  readonly checkedWithoutResult = new Map<TaskId, number>();
  again: Instant | undefined;
  readonly #context: RepoContext;
  readonly #seen: FeedbackSeen;
  readonly #deps: Pick<Deps, "botLogin" | "clock" | "github" | "store" | "wake">;

  constructor(
    context: RepoContext,
    seen: FeedbackSeen,
    deps: Pick<Deps, "botLogin" | "clock" | "github" | "store" | "wake">,
  ) {
    this.#context = context;
    this.#seen = seen;
    this.#deps = deps;
  }

  async consider(snapshot: FeedbackSnapshot): Promise<void> {
    const decision = decideFeedback(snapshot);
    switch (decision.kind) {
      case "none":
        return;
      case "read-again":
        this.#deps.wake(this.#context.repo, "github-changed");
        return;
      case "wait":
        this.#wait(decision.until);
        return;
      case "give-up":
        await this.#giveUp(snapshot.task, decision.reason);
        return;
      case "look":
        await this.#look(decision, snapshot);
        return;
    }
  }

  async #look(look: Look, snapshot: FeedbackSnapshot): Promise<void> {
    const { task, readAt } = snapshot;
    if (this.#seen.checkedWithoutResult.get(task.id) === readAt) {
      this.checkedWithoutResult.set(task.id, readAt);
      return;
    }
    const found =
      this.#known(look, task) ??
      (await readRework(look, { context: this.#context, snapshot }, this.#deps));
    if (found === undefined) {
      this.checkedWithoutResult.set(task.id, readAt);
      return;
    }
    if (found.kind === "wait") {
      this.#wait(found.until);
      return;
    }
    const over = overLimit(found.kind, snapshot);
    if (over === undefined) this.rework.set(task.id, found);
    else await this.#giveUp(task, over.reason);
  }

  #known({ at, asked }: Look, { id }: Task): Rework | undefined {
    const known = this.#seen.rework.get(id);
    const covers = known?.kind === at && asked.every((name) => known.answers.includes(name));
    return covers ? known : undefined;
  }

  #wait(until: Instant): void {
    this.again = instant(Math.min(this.again ?? Infinity, until));
  }

  async #giveUp(task: Task, reason: string): Promise<void> {
    const at = this.#deps.clock.now();
    const moved = { kind: "task-moved", task: task.id, from: "review", to: "failed" } as const;
    const change: Change = { ...moved, reason, at, set: {} };
    await this.#deps.store.record(this.#context.repo, [change]);
  }
}

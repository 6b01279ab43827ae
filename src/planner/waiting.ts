import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import type { Backlog } from "./backlog.ts";
import { wordObstacle } from "./obstacle.ts";
import type { Obstacle, WaitCode } from "./obstacle.ts";

interface Surroundings {
  readonly backlog: Backlog;
  /** When the tasks that hold claims are expected to release them. */
  readonly ends: ReadonlyMap<TaskId, number | undefined>;
}

/** A task that does not start now, and why. */
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

  /** A sentence for people, worded when read: finding the example path costs a search, and thousands may wait. */
  get reason(): string {
    return wordObstacle(this.obstacle, this.#task, this.#surroundings.backlog);
  }

  /** When the obstacle is expected to be gone. */
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

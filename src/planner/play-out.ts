import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import { decideStarts } from "./starts/decide-starts.ts";
import type { Holding } from "./starts/decide-starts.ts";
import type { Backlog } from "./waves/backlog.ts";

/** Says how long a task takes, in milliseconds. */
export interface TaskTimes {
  /** Each entry is the time of one run. Only after the last run there is something to land. */
  readonly runs: readonly number[];
  /** Each entry is the pause before a further run. */
  readonly pauses: readonly number[];
  /** It is undefined when the task does not land. */
  readonly landing: number | undefined;
}

export interface PlayOptions {
  readonly slots: number;
  readonly timesOf: (id: TaskId) => TaskTimes;
}

/**
 * Computes how long all tasks take with the same decisions as in a real run, when nothing costs time but runs, pauses
 * and landings. A run has its slot until it ends, and a task its claims until it has landed. Landings come one after
 * the other.
 */
export function playOutMs(backlog: Backlog, options: PlayOptions): number {
  const play = new Play(backlog, options);
  while (play.step());
  return play.now;
}

interface Moment {
  readonly at: number;
  readonly happens: () => void;
}

class Play {
  now = 0;
  readonly #backlog: Backlog;
  readonly #options: PlayOptions;
  readonly #holding = new Map<TaskId, Holding>();
  readonly #ended = new Map<TaskId, "landed" | "failed">();
  readonly #notBefore = new Map<TaskId, Instant>();
  readonly #runs = new Map<TaskId, number>();
  readonly #ahead: Moment[] = [];
  #trackFreeAt = 0;

  constructor(backlog: Backlog, options: PlayOptions) {
    this.#backlog = backlog;
    this.#options = options;
    for (const { id } of backlog.tasks) {
      if (options.timesOf(id).runs.length === 0) this.#ended.set(id, "failed");
    }
  }

  /** Starts what can start, then goes on to the next thing that happens. */
  step(): boolean {
    const busy = [...this.#holding.values()].filter(({ stage }) => stage === "running").length;
    const { starts } = decideStarts({
      now: instant(this.now),
      backlog: this.#backlog,
      holding: [...this.#holding.values()],
      slots: { overall: this.#options.slots - busy },
      ended: this.#ended,
      notBefore: this.#notBefore,
    });
    for (const { id } of starts) this.#start(id);
    const next = this.#ahead.reduce<Moment | undefined>(
      (first, one) => (first === undefined || one.at < first.at ? one : first),
      undefined,
    );
    if (next === undefined) return false;
    this.#ahead.splice(this.#ahead.indexOf(next), 1);
    this.now = next.at;
    next.happens();
    return true;
  }

  #start(id: TaskId): void {
    const run = this.#runs.get(id) ?? 0;
    this.#runs.set(id, run + 1);
    const at = this.now + (this.#options.timesOf(id).runs[run] ?? 0);
    this.#holding.set(id, { id, stage: "running", expectedEnd: instant(at) });
    this.#ahead.push({ at, happens: () => this.#endRun(id, run) });
  }

  #endRun(id: TaskId, run: number): void {
    const { runs, pauses, landing } = this.#options.timesOf(id);
    if (run + 1 < runs.length) {
      this.#holding.delete(id);
      const due = instant(this.now + (pauses[run] ?? 0));
      this.#notBefore.set(id, due);
      this.#ahead.push({ at: due, happens: () => undefined });
    } else if (landing === undefined) {
      this.#end(id, "failed");
    } else {
      this.#trackFreeAt = Math.max(this.now, this.#trackFreeAt) + landing;
      this.#holding.set(id, { id, stage: "queued", expectedEnd: instant(this.#trackFreeAt) });
      this.#ahead.push({ at: this.#trackFreeAt, happens: () => this.#end(id, "landed") });
    }
  }

  #end(id: TaskId, how: "landed" | "failed"): void {
    this.#holding.delete(id);
    this.#ended.set(id, how);
  }
}

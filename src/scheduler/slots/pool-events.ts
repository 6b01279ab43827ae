import type { RepoName } from "../../domain/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { PoolEvents, PoolView, QueueChanged, QueueState } from "../../ports/pool-events.ts";

export function createPoolEvents(log: Log): PoolEvents {
  return new LoggedPoolEvents(log);
}

class LoggedPoolEvents implements PoolEvents {
  readonly #log: Log;
  readonly #waiting = new Map<RepoName, ReadonlyMap<string, number>>();
  readonly #listeners = new Set<(event: QueueChanged) => void>();
  #queues = new Map<string, QueueState>();

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(listener: (event: QueueChanged) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  queues(): ReadonlyMap<string, QueueState> {
    return this.#queues;
  }

  update(view: PoolView): readonly RepoName[] {
    this.#waiting.set(view.repo, view.waiting);
    const before = this.#queues;
    this.#queues = new Map(
      [...view.slots].map(([runner, slots]) => [runner, this.#queueOf(runner, slots, view)]),
    );
    const freed = [...this.#queues].flatMap(([runner, { busy, free }]) =>
      free > 0 && busy < (before.get(runner)?.busy ?? 0) ? [runner] : [],
    );
    for (const [runner, queue] of this.#queues) this.#tell(runner, queue, before.get(runner));
    return this.#waitingFor(freed, view.repo);
  }

  #queueOf(runner: string, slots: number, view: PoolView): QueueState {
    const busy = view.busy.filter((name) => name === runner).length;
    const waiting = [...this.#waiting.values()].reduce(
      (sum, ofRepo) => sum + (ofRepo.get(runner) ?? 0),
      0,
    );
    return { waiting, busy, free: Math.max(0, slots - busy) };
  }

  #tell(runner: string, queue: QueueState, before: QueueState | undefined): void {
    const { waiting, busy, free } = queue;
    const same = before?.waiting === waiting && before.busy === busy && before.free === free;
    if (same || (before === undefined && waiting === 0 && busy === 0)) return;
    this.#log.info({ runner, waiting, busy, free }, "queue changed");
    for (const listener of this.#listeners) listener({ kind: "queue-changed", runner, ...queue });
  }

  #waitingFor(runners: readonly string[], except: RepoName): readonly RepoName[] {
    return [...this.#waiting].flatMap(([repo, waiting]) =>
      repo !== except && runners.some((runner) => (waiting.get(runner) ?? 0) > 0) ? [repo] : [],
    );
  }
}

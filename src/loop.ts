import type { WakeReason } from "./deps.ts";
import type { RepoName } from "./domain/ids.ts";
import { Lane } from "./lane.ts";
import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";

export interface LoopOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly reconcileEveryMs: number;
  /** One pass over a repository; `news` says whether GitHub must be read again. Resolves to when it wants another. */
  readonly tick: (repo: RepoName, news: WakeReason) => Promise<number | undefined>;
}

/** Every watched repository has a lane of its own: one slow repository never holds up another. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #lanes = new Map<RepoName, Lane>();
  readonly #waiting: (() => void)[] = [];

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  watch(repo: RepoName): void {
    if (this.#lanes.has(repo)) return;
    const { clock, log, reconcileEveryMs, tick } = this.#options;
    const lane = new Lane({
      clock,
      reconcileEveryMs,
      tick: (news) => tick(repo, news),
      failed: (err) => log.error({ repo, err }, "tick failed"),
      rested: () => this.#settle(),
    });
    this.#lanes.set(repo, lane);
    lane.wake("github-changed");
  }

  unwatch(repo: RepoName): void {
    this.#lanes.get(repo)?.stop();
    this.#lanes.delete(repo);
  }

  wake(repo: RepoName, reason: WakeReason): void {
    this.#lanes.get(repo)?.wake(reason);
  }

  watched(): readonly RepoName[] {
    return [...this.#lanes.keys()];
  }

  get busy(): boolean {
    return [...this.#lanes.values()].some((lane) => lane.busy);
  }

  /** Resolves when no tick is under way. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#settle();
    });
  }

  async stop(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.stop();
    await this.idle();
  }

  #settle(): void {
    if (this.busy) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

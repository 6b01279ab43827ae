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
    const known = this.#lanes.get(repo);
    if (known !== undefined && !known.stopped) return;
    const lane = known ?? this.#createLane(repo);
    this.#lanes.set(repo, lane);
    lane.start();
  }

  /** The lane stays: its tick may still be under way when the repository is watched again. */
  unwatch(repo: RepoName): void {
    this.#lanes.get(repo)?.stop();
  }

  wake(repo: RepoName, reason: WakeReason): void {
    this.#lanes.get(repo)?.wake(reason);
  }

  watched(): readonly RepoName[] {
    return [...this.#lanes].flatMap(([repo, lane]) => (lane.stopped ? [] : [repo]));
  }

  /** The repository is looked at again as soon as its present tick is over. */
  isAwaited(repo: RepoName): boolean {
    return this.#lanes.get(repo)?.awaited === true;
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

  #createLane(repo: RepoName): Lane {
    const { clock, log, reconcileEveryMs, tick } = this.#options;
    let trouble: string | undefined;
    return new Lane({
      ...{ clock, reconcileEveryMs },
      tick: async (news) => {
        const again = await tick(repo, news);
        if (trouble !== undefined) log.info({ repo }, "tick recovered");
        trouble = undefined;
        return again;
      },
      failed: (err) => {
        const words = err instanceof Error ? err.message : String(err);
        // A board without permission fails for days: one line when it begins, one when it ends.
        if (words === trouble) log.debug({ repo, err }, "tick failed again");
        else log.error({ repo, err }, "tick failed");
        trouble = words;
      },
      rested: () => this.#settle(),
    });
  }

  #settle(): void {
    if (this.busy) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

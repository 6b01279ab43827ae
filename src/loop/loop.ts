import type { RepoName } from "../domain/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { WakeReason } from "../ports/deps.ts";
import type { Log } from "../ports/log.ts";
import { AppError } from "../shared/app-error.ts";
import { cleanLine } from "../shared/clean-text.ts";
import { Trouble } from "../shared/trouble.ts";
import { Lane } from "./lane.ts";
import type { LaneName, Tick } from "./lane.ts";

export interface LoopOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly reconcileEveryMs: number;
  readonly ticks: Readonly<Partial<Record<LaneName, Tick>>>;
  /** It hears what a lane fails with again and again, and an empty list when that is over. */
  readonly troubled?: (repo: RepoName, lines: readonly string[]) => void;
  /** It hears of a store that is damaged. */
  readonly damaged?: (reason: string) => void;
  /** It hears that a repository is not called so any more. */
  readonly moved?: () => void;
}

type Lanes = ReadonlyMap<LaneName, Lane>;

const DOES: Readonly<Record<LaneName, string>> = {
  look: "looking at GitHub",
  start: "starting runs",
  land: "landing changes",
  report: "writing reports",
};

/** Every watched repository has lanes of its own: one slow repository never holds up another. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #repos = new Map<RepoName, Lanes>();
  readonly #waiting: (() => void)[] = [];
  readonly #troubles = new Map<RepoName, Map<LaneName, string>>();
  #halted = false;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  watch(repo: RepoName): void {
    const known = this.#repos.get(repo);
    if (known !== undefined && !isStopped(known)) return;
    const lanes = known ?? this.#createLanes(repo);
    this.#repos.set(repo, lanes);
    for (const lane of lanes.values()) lane.start();
  }

  /** The lanes stay, because a tick may still be under way when the repository is watched again. */
  unwatch(repo: RepoName): void {
    for (const lane of this.#repos.get(repo)?.values() ?? []) lane.stop();
  }

  /** Resolves when no tick of the repository is under way. */
  async rested(repo: RepoName): Promise<void> {
    await Promise.all([...(this.#repos.get(repo)?.values() ?? [])].map((lane) => lane.ended()));
  }

  /** News from GitHub wake the lane `look` alone; it wakes the others where that changes something for them. */
  wake(repo: RepoName, reason: WakeReason): void {
    const lanes = this.#repos.get(repo);
    if (reason === "github-changed") lanes?.get("look")?.wake(reason);
    else for (const lane of lanes?.values() ?? []) lane.wake(reason);
  }

  /** Wakes this one lane; the others go on as they were. */
  wakeLane(repo: RepoName, name: LaneName): void {
    this.#repos.get(repo)?.get(name)?.wake("we-changed");
  }

  watched(): readonly RepoName[] {
    return [...this.#repos].flatMap(([repo, lanes]) => (isStopped(lanes) ? [] : [repo]));
  }

  get busy(): boolean {
    return [...this.#repos.values()].some((lanes) =>
      [...lanes.values()].some(({ rests }) => !rests),
    );
  }

  /** Resolves when no tick is under way or due in a moment. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#resolveIdle();
    });
  }

  /** From now on nothing is read, started, landed or reported, for as long as this process lasts. Returns whether that is new. */
  halt(): boolean {
    const isNew = !this.#halted;
    this.#halted = true;
    return isNew;
  }

  async stop(): Promise<void> {
    for (const repo of this.#repos.keys()) this.unwatch(repo);
    await this.idle();
  }

  #createLanes(repo: RepoName): Lanes {
    const names = Object.keys(this.#options.ticks) as LaneName[];
    return new Map(
      names.flatMap((name) => {
        const tick = this.#options.ticks[name];
        return tick === undefined ? [] : [[name, this.#createLane({ repo, name, tick })] as const];
      }),
    );
  }

  #createLane({ repo, name, tick }: { repo: RepoName; name: LaneName; tick: Tick }): Lane {
    const { clock, log, reconcileEveryMs, damaged, moved } = this.#options;
    const trouble = new Trouble();
    return new Lane({
      repo,
      clock,
      reconcileEveryMs,
      tick,
      isHalted: () => this.#halted,
      succeeded: () => {
        if (!trouble.end()) return;
        log.info({ repo, lane: name }, "tick recovered");
        this.#tellTrouble(repo, name, undefined);
      },
      failed: (err) => {
        if (err instanceof AppError && err.code === "store-damaged") damaged?.(err.message);
        if (err instanceof AppError && err.code === "repo-moved") moved?.();
        const { isWorthALine, times } = trouble.meet(err, clock.now());
        if (isWorthALine) log.error({ repo, lane: name, times, err }, "tick failed");
        else log.debug({ repo, lane: name, times, err }, "tick failed again");
        // A failure that passes by itself is nobody's concern.
        this.#tellTrouble(repo, name, times > 1 ? err : undefined);
      },
      rested: () => this.#resolveIdle(),
    });
  }

  #tellTrouble(repo: RepoName, lane: LaneName, err: unknown): void {
    const lanes = this.#troubles.get(repo) ?? new Map<LaneName, string>();
    const words = err instanceof Error ? err.message : String(err);
    if (err === undefined) lanes.delete(lane);
    else
      lanes.set(
        lane,
        `${DOES[lane]} fails again and again: ${cleanLine(words, 300)}; the log says more`,
      );
    this.#troubles.set(repo, lanes);
    this.#options.troubled?.(repo, [...lanes.values()]);
  }

  #resolveIdle(): void {
    if (this.busy) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function isStopped(lanes: Lanes): boolean {
  return [...lanes.values()].every(({ stopped }) => stopped);
}

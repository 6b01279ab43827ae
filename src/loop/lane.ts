import type { RepoName } from "../domain/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { WakeReason } from "../ports/deps.ts";
import { AppError } from "../shared/app-error.ts";
import { backoffMs } from "../shared/backoff.ts";

/** A failing tick is tried again after a pause that grows with each failure in a row; a wake-up cannot make it spin. */
const PAUSES = { firstMs: 2_000, longestMs: 60_000 };
/** A lane that is due again within this time does not count as resting. */
const DUE_SOON_MS = 250;
/** GitHub's budgets are renewed within an hour. */
const MAX_ASKED_PAUSE_MS = 60 * 60_000;
/** Lanes and runs write at the same time: a tick that finds that another was first is repeated at once, a few times in a row. */
const MAX_REPEATS = 5;

/** Each kind of work for a repository has a lane of its own, so that whatever waits in one of them holds up none of the others. */
export type LaneName = "look" | "start" | "land" | "report";

/**
 * A tick is one pass over a repository; `news` says whether GitHub must be read again. It resolves to when it wants another without any
 * news, for example for a retry.
 */
export type Tick = (repo: RepoName, news: WakeReason) => Promise<number | undefined>;

export interface LaneOptions {
  readonly repo: RepoName;
  readonly clock: Clock;
  readonly reconcileEveryMs: number;
  readonly tick: Tick;
  /** Nothing is done any more for as long as this process lasts. */
  readonly isHalted: () => boolean;
  readonly succeeded: () => void;
  readonly failed: (error: unknown) => void;
  readonly rested: () => void;
}

/**
 * A lane does one kind of work for one repository, one tick at a time. Wake-ups during a tick lead to one more tick after it; a timer wakes
 * the same ticks.
 */
export class Lane {
  readonly #options: LaneOptions;
  #state: "idle" | "ticking" | "ticking-again" = "idle";
  #news: WakeReason = "github-changed";
  #cancelTimer = (): void => undefined;
  #pausedUntil = 0;
  #failures = 0;
  #overtaken = 0;
  #stopped = false;
  #isDueSoon = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Resolves when no tick is under way. */
  ended(): Promise<void> {
    return this.#running;
  }

  get busy(): boolean {
    return this.#state !== "idle";
  }

  get rests(): boolean {
    return !this.busy && !this.#isDueSoon;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * This also works after a stop: a tick that is still under way is followed by one more. A pause from before does not count any more,
   * because its timer ended with the stop.
   */
  start(): void {
    this.#stopped = false;
    this.#pausedUntil = 0;
    this.wake("github-changed");
  }

  wake(reason: WakeReason): void {
    if (this.#stopped) return;
    if (reason === "github-changed") this.#news = reason;
    if (this.busy) this.#state = "ticking-again";
    else if (this.#options.clock.now() >= this.#pausedUntil) this.#running = this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#isDueSoon = false;
    this.#cancelTimer();
  }

  async #run(): Promise<void> {
    this.#cancelTimer();
    this.#isDueSoon = false;
    let again: number | undefined;
    do {
      this.#state = "ticking";
      again = await this.#tick();
    } while (this.#wantsMore());
    this.#state = "idle";
    if (!this.#stopped) this.#setTimer(again);
    this.#options.rested();
  }

  #wantsMore(): boolean {
    const paused = this.#options.clock.now() < this.#pausedUntil;
    return this.#state === "ticking-again" && !this.#stopped && !paused;
  }

  async #tick(): Promise<number | undefined> {
    const { repo, tick, isHalted, succeeded } = this.#options;
    const news = this.#news;
    this.#news = "we-changed";
    if (isHalted()) return undefined;
    try {
      const again = await tick(repo, news);
      this.#failures = 0;
      this.#overtaken = 0;
      succeeded();
      return again;
    } catch (error) {
      if (this.#mayRepeat(error)) {
        this.wake(news);
        return undefined;
      }
      this.#options.failed(error);
      this.#news = "github-changed";
      this.#failures += 1;
      const grown = backoffMs(this.#failures, PAUSES);
      const pauseMs = Math.max(grown, Math.min(askedPause(error), MAX_ASKED_PAUSE_MS));
      this.#pausedUntil = this.#options.clock.now() + pauseMs;
      return this.#pausedUntil;
    }
  }

  #mayRepeat(error: unknown): boolean {
    if (!(error instanceof AppError) || error.code !== "store-conflict") return false;
    this.#overtaken += 1;
    return this.#overtaken <= MAX_REPEATS;
  }

  #setTimer(again: number | undefined): void {
    const { clock, reconcileEveryMs } = this.#options;
    const now = clock.now();
    const soon = again === undefined ? Infinity : Math.max(0, again - now);
    const reason = soon < reconcileEveryMs ? "we-changed" : "github-changed";
    const delay = Math.max(this.#pausedUntil - now, Math.min(soon, reconcileEveryMs));
    this.#isDueSoon = soon < reconcileEveryMs && delay <= DUE_SOON_MS;
    this.#cancelTimer = clock.after(delay, () => {
      // The pause is over, whatever the clock says by now: a lane that ignored this wake-up would have no other timer.
      this.#pausedUntil = 0;
      this.wake(reason);
    });
  }
}

/** Returns how long GitHub asked us to wait: whoever comes back sooner is kept away for longer. */
function askedPause(error: unknown): number {
  return error instanceof AppError ? (error.retryAfterMs ?? 0) : 0;
}

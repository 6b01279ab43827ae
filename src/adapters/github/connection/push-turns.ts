import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { formatTimeOfDay } from "../../../shared/format.ts";

/** GitHub recommends at most six pushes a minute to one repository. */
const EVERY_MS = 10_000;
/**
 * GitHub does not enforce it, and what parallel runs push comes in swarms, so five minutes' worth may go at once after a rest. A limit
 * without swarms would let finished work wait where GitHub would not.
 */
const BURST = 30;

/** Keeps the pushes to each repository to GitHub's recommendation in the long run. */
export class PushTurns {
  readonly #now: () => number;
  /** From this moment on a whole burst may go at once again. */
  readonly #restedAt = new Map<RepoName, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a turn, or throws with the time of the next one. */
  take(repo: RepoName): void {
    const now = this.#now();
    // A later moment dates from before the clock was set back.
    const restedAt = Math.min(this.#restedAt.get(repo) ?? now, now + BURST * EVERY_MS);
    const at = restedAt - (BURST - 1) * EVERY_MS;
    if (at > now) {
      const until = formatTimeOfDay(at);
      throw new AppError("github-rate-limited", `waits for the budget of pushes until ${until}`, {
        retryable: true,
        retryAfterMs: at - now,
      });
    }
    this.#restedAt.set(repo, Math.max(restedAt, now) + EVERY_MS);
  }
}

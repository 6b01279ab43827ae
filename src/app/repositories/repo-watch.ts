import type { RepoName } from "../../domain/ids.ts";
import { markUnwatched } from "../../intake/signals.ts";
import type { Loop } from "../../loop/loop.ts";
import type { Deps } from "../../ports/deps.ts";
import type { Settings } from "./settings.ts";

/** A lane that fails may do so because the app was shut out. It is not asked more often than this. */
const AFTER_TROUBLE_MS = 5 * 60_000;

const GONE =
  "the app does not see this repository any more: it was transferred, renamed or taken out of the installation, or the installation was suspended; its tasks wait";
const NOT_TAKING_PART =
  "this repository does not take part any more: it has no .github/wavetrain.yml on its default branch, or the operator's file denies it; nothing new starts or lands, and its tasks go on when it takes part again";

export interface RepoWatchParts {
  readonly settings: Settings;
  readonly loop: Loop;
  readonly background: { stopIn(repo: RepoName, reason: string): void };
  readonly deps: Pick<Deps, "clock" | "log" | "notices" | "store">;
}

/** Keeps the lanes of exactly those repositories going that the app is installed on and that take part. */
export class RepoWatch {
  readonly #parts: RepoWatchParts;
  #turn: Promise<void> = Promise.resolve();
  #underWay = 0;
  #lookedAt = -Infinity;

  constructor(parts: RepoWatchParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#underWay > 0;
  }

  /** Resolves when no look is under way. */
  idle(): Promise<void> {
    return this.#turn;
  }

  /** Asks GitHub which repositories there are. A word of a webhook on that is only a hint. */
  look(): Promise<void> {
    return this.#inTurn(() => {
      this.#lookedAt = this.#parts.deps.clock.now();
      return this.#parts.settings.discover();
    });
  }

  /** A push may have brought the file that signs the repository up, or taken it away. */
  fileChanged(repo: RepoName): Promise<void> {
    const { settings, loop } = this.#parts;
    settings.forget(repo);
    const read = (): Promise<readonly RepoName[]> =>
      settings.participants().finally(() => loop.wake(repo, "github-changed"));
    return this.#orLog(() => this.#inTurn(read));
  }

  /** Looks and has only a line in the log if that fails: there will be another look. */
  lookAgain(): Promise<void> {
    return this.#orLog(() => this.look());
  }

  /** Somebody may have shut the app out, and the webhook that says so was lost. */
  async troubled(): Promise<void> {
    const { clock } = this.#parts.deps;
    if (clock.now() - this.#lookedAt > AFTER_TROUBLE_MS) await this.lookAgain();
  }

  /** One look at a time: an older answer never comes after a newer one. */
  #inTurn(read: () => Promise<readonly RepoName[]>): Promise<void> {
    this.#underWay += 1;
    const turn = this.#turn
      .then(async () => this.#watch(await read()))
      .finally(() => {
        this.#underWay -= 1;
      });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #watch(found: readonly RepoName[]): Promise<void> {
    const { loop, deps } = this.#parts;
    const repos = new Set(found);
    for (const repo of loop.watched()) if (!repos.has(repo)) this.#leave(repo);
    for (const repo of repos) {
      deps.notices.set(repo, "access", []);
      loop.watch(repo);
    }
    await markUnwatched(deps.store, loop.watched(), deps.clock.now());
  }

  #leave(repo: RepoName): void {
    const { loop, background, settings, deps } = this.#parts;
    loop.unwatch(repo);
    const isThere = settings.isInstalledOn(repo);
    deps.notices.set(repo, "access", [isThere ? NOT_TAKING_PART : GONE]);
    deps.notices.set(repo, "trouble", []);
    // Runs could deliver nothing any more. Their work is saved, and goes on from the queue if the repository comes back.
    if (!isThere) background.stopIn(repo, `the app does not see ${repo} any more`);
  }

  async #orLog(look: () => Promise<void>): Promise<void> {
    await look().catch((err: unknown) => {
      this.#parts.deps.log.error({ err }, "repositories not read");
    });
  }
}

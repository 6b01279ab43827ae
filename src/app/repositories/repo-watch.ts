import type { RepoName } from "../../domain/ids.ts";
import { isPlanned } from "../../domain/task.ts";
import { markUnwatched } from "../../intake/signals.ts";
import type { Loop } from "../../loop/loop.ts";
import { isParked } from "./decide-renames.ts";
import { followRenames } from "./follow-renames.ts";
import type { RenameParts } from "./follow-renames.ts";
import type { Settings } from "./settings.ts";

/** A lane that fails may do so because the app was shut out. It is not asked more often than this. */
const AFTER_TROUBLE_MS = 5 * 60_000;

const GONE =
  "the app does not see this repository any more: it was deleted, transferred to somebody without the app, or taken out of the installation, or the installation was suspended; its tasks wait";
const OUTNAMED =
  "the app does not see this repository any more, and another one has its name now; its tasks wait until it comes back, under whatever name";
const NOT_TAKING_PART =
  "this repository does not take part any more: it has no .github/wavetrain.yml on its default branch, or the operator's file denies it; nothing new starts or lands, and its tasks go on when it takes part again";

export interface RepoWatchParts {
  readonly settings: Settings;
  readonly loop: Loop;
  readonly background: RenameParts["background"];
  readonly forget: RenameParts["forget"];
  readonly deps: RenameParts["deps"];
}

/** Keeps the lanes of exactly those repositories going that the app is installed on and that take part. */
export class RepoWatch {
  readonly #parts: RepoWatchParts;
  #turn: Promise<void> = Promise.resolve();
  #underWay = 0;
  #lookedAt = -Infinity;
  readonly #soughtAt = new Map<RepoName, number>();

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
      return this.#parts.settings.discover((repos) => followRenames(repos, this.#parts));
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

  /** The name is on no list that was read. A look that does not find it either is not repeated for a while. */
  async heardOf(repo: RepoName): Promise<void> {
    const { clock } = this.#parts.deps;
    const before = this.#soughtAt.get(repo) ?? -Infinity;
    if (clock.now() - before < AFTER_TROUBLE_MS) return;
    this.#soughtAt.set(repo, clock.now());
    await this.lookAgain();
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
    await this.#nameAll(repos);
    this.#readAnew([...repos].filter((repo) => !loop.watched().includes(repo)));
    for (const repo of repos) {
      deps.notices.set(repo, "access", []);
      loop.watch(repo);
    }
    await markUnwatched(deps.store, loop.watched(), deps.clock.now());
    await this.#tellOfOthers(repos);
  }

  /** Says of each repository that has open tasks and no lanes why they wait. */
  async #tellOfOthers(repos: ReadonlySet<RepoName>): Promise<void> {
    const { deps } = this.#parts;
    for (const { id, repo, until } of await deps.store.repoNames()) {
      if (until !== undefined || repos.has(repo)) continue;
      const { tasks } = await deps.store.readRepo(repo);
      if (tasks.some(({ state }) => isPlanned(state)))
        deps.notices.set(repo, "access", [this.#reasonToWait({ id, repo })]);
    }
  }

  #reasonToWait(naming: { readonly id: number; readonly repo: RepoName }): string {
    if (isParked(naming)) return OUTNAMED;
    return this.#parts.settings.isInstalledOn(naming.repo) ? NOT_TAKING_PART : GONE;
  }

  /** Nobody listened while they were away, and what was learned just before may be half a reading. */
  #readAnew(back: readonly RepoName[]): void {
    const { forget, deps } = this.#parts;
    for (const repo of back) forget(repo);
    if (back.length > 0) deps.github.forgetReadings();
  }

  /** Only repositories that take part are noted: nothing is known of the others that could get lost. */
  async #nameAll(repos: ReadonlySet<RepoName>): Promise<void> {
    const { settings, deps } = this.#parts;
    const named = new Set((await deps.store.repoNames()).map(({ id }) => id));
    for (const repo of repos) {
      const id = settings.idOf(repo);
      if (id !== undefined && !named.has(id)) await deps.store.nameRepo({ id, repo });
    }
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

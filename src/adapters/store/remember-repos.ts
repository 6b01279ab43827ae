import type { Change } from "../../domain/change.ts";
import type { Instant, RepoName, RunId } from "../../domain/ids.ts";
import type { RepoMemory, Store } from "../../ports/store.ts";
import { endOfView } from "./queries/read-repo.ts";
import { noneTouched, touch } from "./rows/touched-rows.ts";
import type { TouchedRows } from "./rows/touched-rows.ts";
import type { SqlStore } from "./sql-store.ts";

interface View {
  readonly memory: RepoMemory;
  readonly from: Instant;
  /** After this moment a reading would return something else. */
  readonly until: number;
}

/** Holds what is known of a repository, and what may have changed since. */
interface Known {
  view: Promise<View> | undefined;
  touched: TouchedRows;
}

/**
 * Returns the same store, but reads of a repository only the rows that were written since the last reading. It works only for a
 * store with one owner, because it does not see what others write. Whoever asks during a write may get the state before it.
 */
export function rememberRepos(store: SqlStore, now: () => Instant): Store {
  const views = new RepoViews(store, now);
  return {
    ...store,
    readRepo: (repo) => views.read(repo),
    record: (repo, changes, proof) => {
      // The rows are touched before and after the write: whoever reads in between sees all of the write or nothing of it.
      views.touch(repo, changes);
      return store.record(repo, changes, proof).finally(() => {
        views.touch(repo, changes);
        if (changes.some(({ kind }) => kind === "repo-renamed")) views.forget();
      });
    },
    heartbeat: (run, at) => store.heartbeat(run, at).finally(() => views.touchRun(run)),
    compact: (before) => store.compact(before).finally(() => views.forget()),
    close: () => store.close().finally(() => views.forget()),
  };
}

class RepoViews {
  readonly #store: SqlStore;
  readonly #now: () => Instant;
  readonly #repos = new Map<RepoName, Known>();

  constructor(store: SqlStore, now: () => Instant) {
    this.#store = store;
    this.#now = now;
  }

  async read(repo: RepoName): Promise<RepoMemory> {
    const known = this.#knownOf(repo);
    const view = await this.#latest(repo, known);
    if (this.#isCurrent(view)) return view.memory;
    return (await keep(known, this.#readAll(repo))).memory;
  }

  touch(repo: RepoName, changes: readonly Change[]): void {
    touch(this.#knownOf(repo).touched, repo, changes);
  }

  /** The repository of the run is not known here, so the run is marked as touched in all of them. */
  touchRun(run: RunId): void {
    for (const { touched } of this.#repos.values()) {
      touched.runs.add(run);
      touched.any = true;
    }
  }

  forget(): void {
    this.#repos.clear();
  }

  #knownOf(repo: RepoName): Known {
    const known = this.#repos.get(repo) ?? { view: undefined, touched: noneTouched() };
    this.#repos.set(repo, known);
    return known;
  }

  #latest(repo: RepoName, known: Known): Promise<View> {
    const { view, touched } = known;
    if (view !== undefined && !touched.any) return view;
    known.touched = noneTouched();
    const reading = view === undefined ? this.#readAll(repo) : this.#readAgain(repo, view, touched);
    return keep(known, reading);
  }

  async #readAgain(repo: RepoName, before: Promise<View>, touched: TouchedRows): Promise<View> {
    const view = await before;
    if (!this.#isCurrent(view)) return this.#readAll(repo);
    return this.#viewOf(() => this.#store.rereadRepo(repo, view.memory, touched));
  }

  #readAll(repo: RepoName): Promise<View> {
    return this.#viewOf(() => this.#store.readRepo(repo));
  }

  async #viewOf(read: () => Promise<RepoMemory>): Promise<View> {
    const from = this.#now();
    const memory = await read();
    return { memory, from, until: endOfView(memory.tasks) };
  }

  #isCurrent({ from, until }: View): boolean {
    return from <= this.#now() && this.#now() <= until;
  }
}

/** A reading that failed is not kept, so the next one begins anew. */
function keep(known: Known, view: Promise<View>): Promise<View> {
  known.view = view;
  view.catch(() => {
    if (known.view === view) known.view = undefined;
  });
  return view;
}

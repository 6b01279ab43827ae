import type { Instant, RepoName } from "../../domain/ids.ts";
import type { RepoMemory, Store } from "../../ports/store.ts";
import { endOfView } from "./read-repo.ts";

interface View {
  readonly memory: RepoMemory;
  readonly from: Instant;
  /** The last moment at which the same would be read. */
  readonly until: number;
}

/**
 * The same store, which reads a repository again only after something was written. For a store with one owner: what others write would
 * stay unseen. Whoever asks while a write is under way may be told what was before it.
 */
export function rememberRepos(store: Store, now: () => Instant): Store {
  const views = new Map<RepoName, Promise<View>>();
  const read = (repo: RepoName): Promise<View> => {
    const from = now();
    const view = store
      .readRepo(repo)
      .then((memory) => ({ memory, from, until: endOfView(memory.tasks) }));
    views.set(repo, view);
    view.catch(() => views.delete(repo));
    return view;
  };
  const isCurrent = ({ from, until }: View): boolean => from <= now() && now() <= until;
  return {
    ...store,
    readRepo: async (repo) => {
      const view = await (views.get(repo) ?? read(repo));
      return (isCurrent(view) ? view : await read(repo)).memory;
    },
    record: (repo, changes, proof) =>
      store.record(repo, changes, proof).finally(() => views.delete(repo)),
    heartbeat: (run, at) => store.heartbeat(run, at).finally(() => views.clear()),
    close: () => store.close().finally(() => views.clear()),
  };
}

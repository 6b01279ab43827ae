import { ownerOf } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { Store } from "../ports/store.ts";

/** A board's signals name only its owner, so they concern every repository of that owner. */
export function concerns(signal: Signal, repo: RepoName): boolean {
  return signal.repo === undefined ? signal.owner === ownerOf(repo) : signal.repo === repo;
}

/** Marks signals of repositories that have no tick as seen, because nobody else would ever look at them. */
export async function markUnwatched(
  store: Store,
  watched: readonly RepoName[],
  now: Instant,
): Promise<void> {
  const unseen = await store.unseenSignals();
  const orphans = unseen.filter((signal) => !watched.some((repo) => concerns(signal, repo)));
  if (orphans.length === 0) return;
  await store.markSeen(
    orphans.map(({ deliveryId }) => deliveryId),
    now,
  );
}

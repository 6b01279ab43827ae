import type { Deps, RepoContext } from "../deps.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant, TrainId } from "../domain/ids.ts";

/** The timer comes round at least twice before another server thinks that this one is gone. */
const TURNS_MISSED = 2;
const SLACK_MS = 30_000;

export type Conducted<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "busy"; readonly until: Instant };

/**
 * A candidate is a commit of one server's mirror: while there is one, that server alone drives the train, also between its passes.
 * A server that is gone is followed by another when its lease is over.
 */
export async function conduct<T>(
  { repo, train }: { readonly repo: RepoContext["repo"]; readonly train: TrainId },
  deps: Deps,
  pass: () => Promise<T>,
): Promise<Conducted<T>> {
  const { operator, store, holder } = deps;
  if (operator.store.url === undefined) return { kind: "done", value: await pass() };
  const ttlMs = TURNS_MISSED * operator.reconcileEvery + SLACK_MS;
  const acquired = await store.acquireLease(`conductor:${train}`, holder, ttlMs);
  if (acquired.kind === "busy") return acquired;
  const value = await pass();
  const { entries } = await store.readRepo(repo);
  if (!entries.some(hasCandidate)) await store.releaseLease(acquired.lease);
  return { kind: "done", value };
}

function hasCandidate({ state, candidate }: Entry): boolean {
  return isOpenEntry(state) && candidate !== undefined;
}

import type { RepoReading } from "../domain/board.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant, TrainId } from "../domain/ids.ts";
import { trainIdOf } from "../domain/train.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { MergeLock, RepoMemory } from "../ports/store.ts";
import { apply } from "./apply.ts";
import { underPause, presentTrain } from "./decide/decide-train-state.ts";
import { decide } from "./decide/decide.ts";
import { readSnapshot } from "./queue/snapshot.ts";
import type { TrainDeps } from "./queue/train-deps.ts";
import { withMergeLock } from "./queue/with-merge-lock.ts";
import { refreshPulls } from "./refresh-pulls.ts";

/** Four rounds are enough for an approved change to be queued and built, or for a verified one to land, in one tick. */
const MAX_ROUNDS = 4;

/** The timer comes round at least twice before another server thinks that this one is gone. */
const MISSED_TURNS = 2;
const HOST_LEASE_SLACK_MS = 30_000;

/** Runs one pass of the train of one base branch: read once, decide, apply. It is safe to repeat, and says when it wants to run again. */
export async function tick(
  context: RepoContext,
  reading: RepoReading,
  deps: TrainDeps,
): Promise<Instant | undefined> {
  if (!concernsTrain(await deps.store.readRepo(context.repo))) return undefined;
  const train = trainIdOf(context.repo, context.base);
  const passed = await withTrainHost({ repo: context.repo, train }, deps, async () => {
    const locked = await withMergeLock(train, deps, (lock) =>
      pass({ context, reading, lock }, deps),
    );
    return locked.kind === "busy" ? locked.until : locked.value;
  });
  return passed.kind === "busy" ? passed.until : passed.value;
}

/** Most ticks have nothing for the train, and then it makes no call. */
function concernsTrain({ tasks, entries, intents }: RepoMemory): boolean {
  return (
    tasks.some(({ state }) => state === "review" || state === "queued") ||
    entries.some(({ state }) => isOpenEntry(state)) ||
    intents.some(({ kind }) => kind === "finish-landing")
  );
}

type Conducted<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "busy"; readonly until: Instant };

/**
 * Lets one server alone drive the train while there is a candidate, also between its passes: a candidate is a commit of that server's
 * mirror. When a server is gone, another one follows after the lease is over.
 */
async function withTrainHost<T>(
  { repo, train }: { readonly repo: RepoContext["repo"]; readonly train: TrainId },
  deps: Pick<Deps, "holder" | "operator" | "store">,
  pass: () => Promise<T>,
): Promise<Conducted<T>> {
  const { operator, store, holder } = deps;
  if (operator.store.url === undefined) return { kind: "done", value: await pass() };
  const ttlMs = MISSED_TURNS * operator.reconcileEvery + HOST_LEASE_SLACK_MS;
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

interface Pass {
  readonly context: RepoContext;
  readonly reading: RepoReading;
  readonly lock: MergeLock;
}

async function pass(given: Pass, deps: TrainDeps): Promise<Instant | undefined> {
  const begunAt = deps.clock.now();
  let again: Instant | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // Only the first round asks where the base is. The later rounds use what this pass has learned since then.
    const since = round === 0 ? undefined : begunAt;
    const done = await passOnce({ ...given, since }, deps);
    again = done.again;
    if (!done.changed) break;
  }
  return again;
}

async function passOnce(
  { context, reading, lock: given, since }: Pass & { readonly since: Instant | undefined },
  deps: TrainDeps,
): Promise<{ readonly changed: boolean; readonly again: Instant | undefined }> {
  const read = await readSnapshot(context, { reading, since }, deps);
  const { snapshot, lock, look } = await refreshPulls(read, given, deps);
  const { actions, again } = decide(snapshot);
  const { policy, tasks, runs, tip } = snapshot;
  const train = underPause(presentTrain(snapshot), snapshot.pause);
  const changed = await apply(
    actions,
    { context, lock, policy, train, tasks, runs, tip, look },
    deps,
  );
  return { changed, again };
}

import type { RepoReading } from "../domain/board.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant, TrainId } from "../domain/ids.ts";
import { trainIdOf } from "../domain/train.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { MergeLock, RepoMemory, StoredRepo } from "../ports/store.ts";
import { apply } from "./apply.ts";
import { underPause, presentTrain } from "./decide/decide-train-state.ts";
import { decide } from "./decide/decide.ts";
import { readSnapshot } from "./queue/snapshot.ts";
import type { TrainDeps } from "./queue/train-deps.ts";
import { withMergeLock } from "./queue/with-merge-lock.ts";
import { refreshPulls } from "./refresh-pulls.ts";

/** Two rounds are enough for an approved change to be queued and built, or for a verified one to land. Whatever changed wakes the next tick. */
const MAX_ROUNDS = 2;

/** The timer comes round at least twice before another server thinks that this one is gone. */
const MISSED_TURNS = 2;
const HOST_LEASE_SLACK_MS = 30_000;

/** Runs one pass of the train of one base branch: read once, decide, apply. It is safe to repeat, and says when it wants to run again. */
export async function tick(
  context: RepoContext,
  { reading, stored }: { readonly reading: RepoReading; readonly stored: StoredRepo },
  deps: TrainDeps,
): Promise<Instant | undefined> {
  if (!concernsTrain(await stored.read())) return undefined;
  const train = trainIdOf(context.repo, context.base);
  const passed = await withTrainHost({ train, stored }, deps, async () => {
    const locked = await withMergeLock(train, deps, (lock) => {
      // Whoever had the lock until now may have written.
      stored.changed();
      return pass({ context, reading, stored, lock }, deps);
    });
    return locked.kind === "busy" ? { changed: false, again: locked.until } : locked.value;
  });
  return passed.kind === "busy" ? passed.until : passed.again;
}

/** Most ticks have nothing for the train, and then it makes no call. */
function concernsTrain({ tasks, entries, intents }: RepoMemory): boolean {
  return (
    tasks.some(({ state }) => state === "review" || state === "queued") ||
    entries.some(({ state }) => isOpenEntry(state)) ||
    intents.some(({ kind }) => kind === "finish-landing")
  );
}

interface Passed {
  /** The next tick, which comes at once, has something new to decide on. */
  readonly changed: boolean;
  readonly again: Instant | undefined;
}

type HostedPass =
  (Passed & { readonly kind: "done" }) | { readonly kind: "busy"; readonly until: Instant };

/**
 * Lets one server alone drive the train while there is a candidate, also between its passes: a candidate is a commit of that server's
 * mirror. When a server is gone, another one follows after the lease is over.
 */
async function withTrainHost(
  { train, stored }: { readonly train: TrainId; readonly stored: StoredRepo },
  deps: Pick<Deps, "holder" | "operator" | "store">,
  pass: () => Promise<Passed>,
): Promise<HostedPass> {
  const { operator, store, holder } = deps;
  if (operator.store.url === undefined) return { kind: "done", ...(await pass()) };
  const ttlMs = MISSED_TURNS * operator.reconcileEvery + HOST_LEASE_SLACK_MS;
  const acquired = await store.acquireLease(`train-host:${train}`, holder, ttlMs);
  if (acquired.kind === "busy") return acquired;
  const passed = await pass();
  const { entries } = await stored.read();
  if (!entries.some(hasCandidate)) await store.releaseLease(acquired.lease);
  return { kind: "done", ...passed };
}

function hasCandidate({ state, candidate }: Entry): boolean {
  return isOpenEntry(state) && candidate !== undefined;
}

interface Pass {
  readonly context: RepoContext;
  readonly reading: RepoReading;
  readonly stored: StoredRepo;
  readonly lock: MergeLock;
}

async function pass(given: Pass, deps: TrainDeps): Promise<Passed> {
  const begunAt = deps.clock.now();
  let done: Passed = { changed: true, again: undefined };
  for (let round = 0; round < MAX_ROUNDS && done.changed; round += 1) {
    // Only the first round asks where the base is. The later rounds use what this pass has learned since then.
    const since = round === 0 ? undefined : begunAt;
    done = await passOnce({ ...given, since }, deps);
    if (done.changed) given.stored.changed();
  }
  return done;
}

async function passOnce(
  { context, reading, stored, lock: given, since }: Pass & { readonly since: Instant | undefined },
  deps: TrainDeps,
): Promise<Passed> {
  const seen = { reading, since, stored: await stored.read() };
  const read = await readSnapshot(context, seen, deps);
  const { snapshot, lock, look } = await refreshPulls(read, given, deps);
  const { actions, again } = decide(snapshot);
  const { policy, tasks, entries, runs, tip } = snapshot;
  const train = underPause(presentTrain(snapshot), snapshot.pause);
  const changed = await apply(
    actions,
    { context, lock, policy, train, tasks, entries, runs, tip, look },
    deps,
  );
  return { changed, again };
}

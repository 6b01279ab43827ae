import { isOpenEntry } from "../domain/entry.ts";
import type { Deps } from "../ports/deps.ts";
import type { CloserLook, GitHub } from "../ports/github.ts";
import type { MergeLock } from "../ports/store.ts";
import { decide } from "./decide/decide.ts";
import type { TrainAction } from "./queue/action.ts";
import type { TrainSnapshot } from "./queue/snapshot.ts";
import { renewed } from "./queue/with-merge-lock.ts";

type Wanted = Parameters<GitHub["refreshPulls"]>[1];

interface Looked {
  readonly snapshot: TrainSnapshot;
  readonly lock: MergeLock;
  readonly look: CloserLook | undefined;
}

/** Finishing a landing waits at most this long for the look of the next landing, which covers it too. */
const MAX_FINISH_DELAY_MS = 60_000;

/**
 * Where something would land or a branch would go, one call looks at everything that this depends on, and the train decides again on
 * the result. It is the last look: the call that moves the base compares the heads by itself.
 */
export async function refreshPulls(
  snapshot: TrainSnapshot,
  lock: MergeLock,
  deps: Pick<Deps, "clock" | "github" | "store">,
): Promise<Looked> {
  const { actions } = decide(snapshot);
  const lands = actions.some(({ kind }) => kind === "land" || kind === "read-again");
  const finished = finishedBy(actions, snapshot);
  if (!lands && !isDue(finished, snapshot)) return { snapshot, lock, look: undefined };
  // The lease is renewed right before the look, so that both begin together.
  const held = await renewed(lock, deps);
  const now = deps.clock.now();
  const own = lands ? pullsUnderWay(snapshot) : [];
  const look = await deps.github.refreshPulls(snapshot.repo, wantedFor(own, finished));
  if (!lands) return { snapshot, lock: held, look };
  const readiness = await readReadiness(snapshot, deps);
  return { snapshot: refreshed({ ...snapshot, readiness }, { look, own, now }), lock: held, look };
}

/** Checks may have been started again since the pull request came into the train. */
async function readReadiness(
  { repo, policy, readiness, entries }: TrainSnapshot,
  { clock, github }: Pick<Deps, "clock" | "github">,
): Promise<TrainSnapshot["readiness"]> {
  const verified = entries.filter(({ state }) => state === "verified");
  const pulls = verified.flatMap(({ pull }) => pull ?? []);
  if (!policy.asksForChecks || pulls.length === 0) return readiness;
  const wanted = { pulls, required: policy.required };
  return new Map([...readiness, ...(await github.readiness(repo, wanted, clock.now()))]);
}

interface Finished {
  readonly pull: number | undefined;
  readonly branch: string | undefined;
  readonly landedAt: number;
}

function finishedBy(
  actions: readonly TrainAction[],
  { tasks }: TrainSnapshot,
): readonly Finished[] {
  const landings = actions.flatMap((one) => (one.kind === "finish-landings" ? one.landings : []));
  return landings.map(({ entry }) => {
    const branch = tasks.find((task) => task.id === entry.task)?.branch;
    return { pull: entry.pull, branch, landedAt: entry.changedAt };
  });
}

/** A finished landing gets a look of its own only when no other look is to come soon. */
function isDue(finished: readonly Finished[], snapshot: TrainSnapshot): boolean {
  const { entries, base, now, policy } = snapshot;
  if (finished.length === 0) return false;
  const more = entries.some((entry) => entry.base === base && isOpenEntry(entry.state));
  const late = finished.some(({ landedAt }) => now - landedAt > MAX_FINISH_DELAY_MS);
  return !more || late || policy.landing === "merge-queue";
}

/** All pull requests under way are looked at, not only those that would land: so this counts as a full reading of them. */
function pullsUnderWay({ tasks }: TrainSnapshot): readonly number[] {
  return tasks.flatMap(({ state, pull }) =>
    (state === "review" || state === "queued") && pull !== undefined ? [pull] : [],
  );
}

function wantedFor(own: readonly number[], finished: readonly Finished[]): Wanted {
  const pulls = [...own, ...finished.flatMap(({ pull }) => pull ?? [])];
  const branches = finished.flatMap(({ branch }) => branch ?? []);
  return { pulls: [...new Set(pulls)], branches: [...new Set(branches)] };
}

function refreshed(
  snapshot: TrainSnapshot,
  seen: { readonly look: CloserLook; readonly own: readonly number[]; readonly now: number },
): TrainSnapshot {
  const { look, own, now } = seen;
  const others = snapshot.reading.pulls.filter(({ number }) => !own.includes(number));
  const open = own.flatMap((number) => {
    const pull = look.pulls.get(number);
    return pull?.state === "open" ? [pull] : [];
  });
  return {
    ...snapshot,
    reading: { ...snapshot.reading, pulls: [...others, ...open], readAt: now },
  };
}

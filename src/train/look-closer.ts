import type { Deps } from "../deps.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { CloserLook, GitHub } from "../ports/github.ts";
import type { MergeLock } from "../ports/merge-lock.ts";
import type { TrainCommand } from "./command.ts";
import { decide } from "./decide.ts";
import type { TrainSnapshot } from "./snapshot.ts";
import { renewed } from "./with-merge-lock.ts";

type Wanted = Parameters<GitHub["lookCloser"]>[1];

interface Looked {
  readonly snapshot: TrainSnapshot;
  readonly lock: MergeLock;
  readonly look: CloserLook | undefined;
}

/** What follows a landing waits this long for the next one, whose look tells of it too. */
const RIDE_MS = 60_000;

/**
 * Where something would land or a branch would go, all that this depends on is looked at in one call, and the train decides again on
 * that. It is the last look: what moves the base compares the heads by itself.
 */
export async function lookCloser(
  snapshot: TrainSnapshot,
  lock: MergeLock,
  deps: Deps,
): Promise<Looked> {
  const { commands } = decide(snapshot);
  const lands = commands.some(({ kind }) => kind === "land" || kind === "read-again");
  const finished = finishedBy(commands, snapshot);
  if (!lands && !isDue(finished, snapshot)) return { snapshot, lock, look: undefined };
  // The look and the lease that proves it begin together.
  const held = await renewed(lock, deps);
  const now = deps.clock.now();
  const own = lands ? pullsUnderWay(snapshot) : [];
  const look = await deps.github.lookCloser(snapshot.repo, wantedFor(own, finished));
  return { snapshot: lands ? refreshed(snapshot, { look, own, now }) : snapshot, lock: held, look };
}

interface Finished {
  readonly pull: number | undefined;
  readonly branch: string | undefined;
  readonly landedAt: number;
}

function finishedBy(
  commands: readonly TrainCommand[],
  { tasks }: TrainSnapshot,
): readonly Finished[] {
  const landings = commands.flatMap((one) => (one.kind === "finish-landings" ? one.landings : []));
  return landings.map(({ entry }) => {
    const branch = tasks.find((task) => task.id === entry.task)?.branch;
    return { pull: entry.pull, branch, landedAt: entry.changedAt };
  });
}

/** A look of its own for what follows a landing only when no other is to come soon. */
function isDue(finished: readonly Finished[], snapshot: TrainSnapshot): boolean {
  const { entries, base, now, policy } = snapshot;
  if (finished.length === 0) return false;
  const more = entries.some((entry) => entry.base === base && isOpenEntry(entry.state));
  const late = finished.some(({ landedAt }) => now - landedAt > RIDE_MS);
  return !more || late || policy.landing === "merge-queue";
}

/** All of them, not only those that would land: then this is a reading of pull requests like any other. */
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

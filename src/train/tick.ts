import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import { newTrain, trainIdOf } from "../domain/train.ts";
import type { MergeLock } from "../ports/merge-lock.ts";
import type { RepoMemory } from "../ports/store.ts";
import { apply } from "./apply.ts";
import { underPause } from "./decide-pause.ts";
import { decide } from "./decide.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { withMergeLock } from "./with-merge-lock.ts";

/** One pass of the train of one base branch: read once, decide, apply. Safe to repeat. Resolves to when it wants another. */
export async function tick(
  context: RepoContext,
  reading: RepoReading,
  deps: Deps,
): Promise<Instant | undefined> {
  if (!concernsTrain(await deps.store.readRepo(context.repo))) return undefined;
  const id = trainIdOf(context.repo, context.base);
  const locked = await withMergeLock(id, deps, (lock) => pass({ context, reading, lock }, deps));
  return locked.kind === "busy" ? locked.until : locked.value;
}

interface Pass {
  readonly context: RepoContext;
  readonly reading: RepoReading;
  readonly lock: MergeLock;
}

async function pass({ context, reading, lock }: Pass, deps: Deps): Promise<Instant | undefined> {
  const snapshot = await readSnapshot(context, reading, deps);
  const { commands, again } = decide(snapshot);
  const { policy, tasks, runs, tip, repo, base, now } = snapshot;
  const train = underPause(snapshot.train ?? newTrain(repo, base, now), snapshot.pause);
  await apply(commands, { context, lock, policy, train, tasks, runs, tip }, deps);
  return again;
}

/** Most ticks have nothing for the train: they cost it no call. */
function concernsTrain({ tasks, entries, intents }: RepoMemory): boolean {
  return (
    tasks.some(({ state }) => state === "review" || state === "queued") ||
    entries.some(({ state }) => isOpenEntry(state)) ||
    intents.some(({ kind }) => kind === "settle")
  );
}

import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import { trainIdOf } from "../domain/train.ts";
import type { MergeLock } from "../ports/merge-lock.ts";
import type { RepoMemory } from "../ports/store.ts";
import { apply } from "./apply.ts";
import { conduct } from "./conduct.ts";
import { underPause } from "./decide-pause.ts";
import { decide } from "./decide.ts";
import { lookCloser } from "./look-closer.ts";
import { presentTrain } from "./present-train.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { withMergeLock } from "./with-merge-lock.ts";

/** One pass of the train of one base branch: read once, decide, apply. Safe to repeat. Resolves to when it wants another. */
export async function tick(
  context: RepoContext,
  reading: RepoReading,
  deps: Deps,
): Promise<Instant | undefined> {
  if (!concernsTrain(await deps.store.readRepo(context.repo))) return undefined;
  const train = trainIdOf(context.repo, context.base);
  const passed = await conduct({ repo: context.repo, train }, deps, async () => {
    const locked = await withMergeLock(train, deps, (lock) =>
      pass({ context, reading, lock }, deps),
    );
    return locked.kind === "busy" ? locked.until : locked.value;
  });
  return passed.kind === "busy" ? passed.until : passed.value;
}

interface Pass {
  readonly context: RepoContext;
  readonly reading: RepoReading;
  readonly lock: MergeLock;
}

/** Enough for an approved change to be queued and built, or for a verified one to land, in one tick. */
const MOST_ROUNDS = 4;

async function pass(given: Pass, deps: Deps): Promise<Instant | undefined> {
  const begunAt = deps.clock.now();
  let again: Instant | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // Only the first asks where the base is: what the pass has learned of it since then will do for the others.
    const since = round === 0 ? undefined : begunAt;
    const done = await passOnce({ ...given, since }, deps);
    again = done.again;
    if (!done.changed) break;
  }
  return again;
}

async function passOnce(
  { context, reading, lock: given, since }: Pass & { readonly since: Instant | undefined },
  deps: Deps,
): Promise<{ readonly changed: boolean; readonly again: Instant | undefined }> {
  const read = await readSnapshot(context, { reading, since }, deps);
  const { snapshot, lock, look } = await lookCloser(read, given, deps);
  const { commands, again } = decide(snapshot);
  const { policy, tasks, runs, tip } = snapshot;
  const train = underPause(presentTrain(snapshot), snapshot.pause);
  const changed = await apply(
    commands,
    { context, lock, policy, train, tasks, runs, tip, look },
    deps,
  );
  return { changed, again };
}

/** Most ticks have nothing for the train: they cost it no call. */
function concernsTrain({ tasks, entries, intents }: RepoMemory): boolean {
  return (
    tasks.some(({ state }) => state === "review" || state === "queued") ||
    entries.some(({ state }) => isOpenEntry(state)) ||
    intents.some(({ kind }) => kind === "settle")
  );
}

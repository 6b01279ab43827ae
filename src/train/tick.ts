import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import type { Instant } from "../domain/ids.ts";
import { apply } from "./apply.ts";
import { decide } from "./decide.ts";
import type { TrainCommand } from "./decide.ts";

/** One pass of the train of one base branch: read once, decide, apply. Safe to repeat. Resolves to when it wants another. */
export async function tick(
  context: RepoContext,
  reading: RepoReading,
  deps: Deps,
): Promise<Instant | undefined> {
  const { repo, base, config } = context;
  const { tasks, entries, runs } = await deps.store.readRepo(repo);
  const verifiable = config.verify !== undefined || config.allowUnverified;
  const now = deps.clock.now();
  const { backoff: backoffMs, maxBackoff: maxBackoffMs } = deps.operator.retry;
  const { commands, again } = decide({
    ...{ repo, base, now, reading, tasks, entries, runs, verifiable },
    pause: { backoffMs, maxBackoffMs },
  });
  const paused = (await deps.store.pauseOf(repo)) !== undefined;
  await apply(paused ? commands.filter(isAllowedInPause) : commands, context, deps);
  return again;
}

/** A landing that has begun is still seen to its end. */
function isAllowedInPause({ kind }: TrainCommand): boolean {
  return kind !== "land";
}

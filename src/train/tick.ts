import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import { apply } from "./apply.ts";
import { decide } from "./decide.ts";

/** One pass of the train of one base branch: read once, decide, apply. Safe to repeat. */
export async function tick(context: RepoContext, reading: RepoReading, deps: Deps): Promise<void> {
  const { repo, base, config } = context;
  const { tasks, entries, runs } = await deps.store.readRepo(repo);
  const verifiable = config.verify !== undefined || config.allowUnverified;
  const now = deps.clock.now();
  const commands = decide({ repo, base, now, reading, tasks, entries, runs, verifiable });
  await apply(commands, context, deps);
}

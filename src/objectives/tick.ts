import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import type { TaskId } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { Verdicts } from "../trust/vouch.ts";
import { openTasks } from "./open-tasks.ts";
import { readObjectives } from "./read-objectives.ts";
import type { Known } from "./read-objectives.ts";
import { takeIn } from "./take-in.ts";

/** What is kept between ticks; losing it costs one read. */
export interface ObjectivesMemory extends Known {
  readonly verdicts: Verdicts;
  readonly untrusted: ReadonlySet<TaskId>;
}

export const NO_OBJECTIVES: ObjectivesMemory = {
  ...{ found: undefined, readAt: -1, verdicts: new Map(), untrusted: new Set<TaskId>() },
};

export interface SeenObjectives {
  readonly objectives: ObjectivesMemory;
  readonly reading: RepoReading;
  readonly signals: readonly Signal[];
}

/** One pass over a repository's objectives: who asks for what, and issues that are due. */
export async function tick(
  context: RepoContext,
  { objectives: known, reading, signals }: SeenObjectives,
  deps: Deps,
): Promise<ObjectivesMemory> {
  if (!context.config.objectives.enabled) return NO_OBJECTIVES;
  const { found, readAt, isNew } = await readObjectives(
    context,
    { known, readAt: reading.readAt, signals },
    deps,
  );
  const { intents } = await deps.store.readRepo(context.repo);
  const due = intents.filter(({ kind }) => kind === "decompose");
  const done: boolean[] = [];
  for (const intent of due) done.push(await openTasks(context, intent, deps));
  const { verdicts, untrusted } = isNew
    ? await takeIn(context, { ...known, found, readAt }, deps)
    : known;
  if (done.includes(false)) deps.wake(context.repo, "we-changed");
  // What was opened is seen by the next reading alone: our own writes wake nobody.
  if (done.includes(true)) deps.wake(context.repo, "github-changed");
  return { found: done.includes(true) ? undefined : found, readAt, verdicts, untrusted };
}

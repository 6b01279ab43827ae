import type { Exploration } from "../domain/exploration.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import type { LeavingFacts, ReadCard } from "../domain/read-card.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { assertNever } from "../shared/assert-never.ts";
import { groupBy } from "../shared/group-by.ts";
import { begunTasks, vouch } from "../trust/vouch.ts";
import type { TrustDecisions, Vouched } from "../trust/vouch.ts";
import { decideIntake } from "./issue/decide-intake.ts";
import type { IntakeAction } from "./issue/decide-intake.ts";

/** Cards that ask for something, and what the store knows of their issues. */
export interface Asked extends LeavingFacts {
  readonly cards: readonly ReadCard[];
  readonly readAt: number;
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
  readonly explorations?: readonly Exploration[];
  /** These tasks landed too long ago to be among `tasks`: they are final all the same. */
  readonly landedBefore: ReadonlySet<TaskId>;
  /** These decisions say who stands behind cards that are not accepted yet. */
  readonly decisions: TrustDecisions;
  /** Only these of the cards become tasks; the others are only asked about. */
  readonly mayBeTask?: (read: ReadCard) => boolean;
}

export interface Intake extends Pick<Vouched, "cards" | "decisions"> {
  /** Is true if something was written to the store or a run was stopped. */
  readonly wrote: boolean;
}

/** Takes what the cards ask for into the store, as far as somebody trusted stands behind it. */
export async function intake(
  context: RepoContext,
  asked: Asked,
  deps: Pick<Deps, "background" | "clock" | "github" | "store">,
): Promise<Intake> {
  const { tasks, runs, decisions: known, mayBeTask = () => true, readAt, ...facts } = asked;
  const byIssue = new Map(tasks.map((task) => [taskIdOf(task.repo, task.issue), task]));
  const begun = begunTasks(tasks, runs);
  const vouched = await vouch(context, { ...facts, tasks: byIssue, begun, known }, deps);
  const { cards, disregarded, decisions } = vouched;
  const actions = decideIntake({
    ...facts,
    now: deps.clock.now(),
    readAt,
    tasks,
    cards: cards.filter(mayBeTask),
    disregarded,
    activeRuns: activeRunsOf(runs),
  });
  await apply(actions, context, deps);
  return { cards, decisions, wrote: actions.length > 0 };
}

function activeRunsOf(runs: readonly Run[]): ReadonlyMap<TaskId, readonly Run["id"][]> {
  const active = runs.filter((run) => run.state !== "finished");
  const byTask = groupBy(active, ({ task }) => task);
  return new Map([...byTask].map(([task, own]) => [task, own.map(({ id }) => id)]));
}

async function apply(
  actions: readonly IntakeAction[],
  { repo }: RepoContext,
  { store, background }: Pick<Deps, "store" | "background">,
): Promise<void> {
  for (const action of actions) {
    switch (action.kind) {
      case "record":
        await store.record(repo, action.changes);
        break;
      case "cancel-run":
        background.cancelRun(action.run, action.reason);
        break;
      default:
        assertNever(action);
    }
  }
}

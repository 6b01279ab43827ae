import { decideIntake } from "../board/decide-intake.ts";
import type { ReadCard } from "../board/decide-intake.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { Deps, RepoContext } from "../deps.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RunId, TaskId } from "../domain/ids.ts";
import { isObjective, objectiveTaskId } from "../domain/objective.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { digest } from "../shared/digest.ts";
import { groupBy } from "../shared/group-by.ts";
import { begunTasks } from "../trust/begun-tasks.ts";
import { vouch } from "../trust/vouch.ts";
import type { Verdicts } from "../trust/vouch.ts";
import { specOfObjective } from "./specs.ts";

export interface TakenIn {
  readonly verdicts: Verdicts;
  /** Objectives that nobody trusted stands behind. */
  readonly untrusted: ReadonlySet<TaskId>;
}

/**
 * New, edited and taken-back objectives, by the rules for tasks: whoever put the label on vouches for the text as it was then.
 * One that has sub-issues already was broken up by people and is only followed.
 */
export async function takeIn(
  context: RepoContext,
  seen: {
    readonly found: readonly ObjectiveIssue[];
    readonly verdicts: Verdicts;
    readonly readAt: number;
  },
  deps: Deps,
): Promise<TakenIn> {
  const { tasks, byIssue } = await readTasks(context, seen.found, deps);
  const cards = seen.found.map(({ card }) => readCard(card, context.config));
  const { runs } = await deps.store.readRepo(context.repo);
  const answers = await vouch(
    { ...context, config: byLabel(context.config) },
    { cards, tasks: byIssue, begun: begunTasks(tasks, runs), known: seen.verdicts },
    deps,
  );
  const { cards: vouched, disregarded, verdicts } = answers;
  const whole = new Set(
    seen.found
      .filter(({ card, subIssues }) => subIssues.length === 0 || byIssue.has(issueId(card)))
      .map(({ card }) => card),
  );
  const commands = decideIntake({
    ...{ now: deps.clock.now(), readAt: seen.readAt, tasks, landedBefore: new Set() },
    cards: vouched.filter(({ card }) => whole.has(card)),
    disregarded,
    activeRuns: activeRuns(runs),
    absent: "its label was taken off, or it was closed",
  });
  for (const command of commands) {
    if (command.kind === "cancel-run") deps.background.cancelRun(command.run, command.reason);
    else await deps.store.record(context.repo, command.changes);
  }
  // The scheduler has been at work before us in this tick.
  if (commands.length > 0) deps.wake(context.repo, "we-changed");
  const held = vouched.filter(({ spec }) => spec.invalid !== undefined);
  return { verdicts, untrusted: new Set(held.map(({ card }) => issueId(card))) };
}

function activeRuns(runs: readonly Run[]): ReadonlyMap<TaskId, readonly RunId[]> {
  const active = groupBy(
    runs.filter(({ state }) => state !== "finished"),
    ({ task }) => task,
  );
  return new Map([...active].map(([task, own]) => [task, own.map(({ id }) => id)]));
}

/** Those at work and those of the issues that were found, whatever their age. */
async function readTasks(
  { repo }: RepoContext,
  found: readonly ObjectiveIssue[],
  { store }: Deps,
): Promise<{ readonly tasks: readonly Task[]; readonly byIssue: ReadonlyMap<TaskId, Task> }> {
  const { tasks: recent } = await store.readRepo(repo);
  const ids = found.map(({ card }) => objectiveTaskId(repo, card.issue.number));
  const older = ids.length === 0 ? [] : await store.tasks(ids);
  const all = new Map([...recent.filter(isObjective), ...older].map((task) => [task.id, task]));
  const tasks = [...all.values()];
  return { tasks, byIssue: new Map(tasks.map((task) => [taskIdOf(repo, task.issue), task])) };
}

function readCard(card: ObjectiveIssue["card"], config: RepoConfig): ReadCard {
  const spec = specOfObjective(card.issue, config);
  const id = objectiveTaskId(card.issue.repo, card.issue.number);
  return { id, card, spec, specHash: digest(spec) };
}

function issueId({ issue }: ObjectiveIssue["card"]): TaskId {
  return taskIdOf(issue.repo, issue.number);
}

/** The gesture that counts is the objective's label, on whatever board. */
function byLabel(config: RepoConfig): RepoConfig {
  const { board, labels } = config;
  return {
    ...config,
    board: {
      ...board,
      kind: "labels",
      labelPrefix: "",
      labels: { ...board.labels, ready: labels.objective },
    },
  };
}

import { decideIntake } from "../board/issue/decide-intake.ts";
import { specOfObjective } from "../board/issue/task-from-issue.ts";
import type { RepoConfig } from "../config/schema/repo-config.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RunId, TaskId } from "../domain/ids.ts";
import { isObjective, objectiveTaskId } from "../domain/objective.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { digest } from "../shared/digest.ts";
import { groupBy } from "../shared/group-by.ts";
import { begunTasks, vouch } from "../trust/vouch.ts";
import type { TrustDecisions } from "../trust/vouch.ts";

export interface TakenIn {
  readonly decisions: TrustDecisions;
  /** No trusted person stands behind these objectives. */
  readonly untrusted: ReadonlySet<TaskId>;
}

/**
 * Takes in new, edited and taken-back objectives by the rules for tasks: whoever put the label on vouches for the text
 * as it was then. An objective that has sub-issues already was broken up by people and is only followed.
 */
export async function takeIn(
  context: RepoContext,
  seen: {
    readonly found: readonly ObjectiveIssue[];
    readonly decisions: TrustDecisions;
    readonly readAt: number;
  },
  deps: Pick<Deps, "background" | "clock" | "github" | "store" | "wake">,
): Promise<TakenIn> {
  const { tasks, byIssue } = await readTasks(context, seen.found, deps);
  const cards = seen.found.map(({ card }) => readCard(card, context.config));
  const { runs } = await deps.store.readRepo(context.repo);
  const answers = await vouch(
    { ...context, config: byLabel(context.config) },
    { cards, tasks: byIssue, begun: begunTasks(tasks, runs), known: seen.decisions },
    deps,
  );
  const { cards: vouched, disregarded, decisions } = answers;
  const whole = new Set(
    seen.found
      .filter(({ card, subIssues }) => subIssues.length === 0 || byIssue.has(issueId(card)))
      .map(({ card }) => card),
  );
  const actions = decideIntake({
    now: deps.clock.now(),
    readAt: seen.readAt,
    tasks,
    landedBefore: new Set(),
    cards: vouched.filter(({ card }) => whole.has(card)),
    disregarded,
    activeRuns: activeRuns(runs),
    absent: "its label was taken off, or it was closed",
  });
  for (const action of actions) {
    if (action.kind === "cancel-run") deps.background.cancelRun(action.run, action.reason);
    else await deps.store.record(context.repo, action.changes);
  }
  // In this tick the scheduler has run before us, so it has to look again.
  if (actions.length > 0) deps.wake(context.repo, "we-changed");
  const held = vouched.filter(({ spec }) => spec.invalid !== undefined);
  return { decisions, untrusted: new Set(held.map(({ card }) => issueId(card))) };
}

function activeRuns(runs: readonly Run[]): ReadonlyMap<TaskId, readonly RunId[]> {
  const active = groupBy(
    runs.filter(({ state }) => state !== "finished"),
    ({ task }) => task,
  );
  return new Map([...active].map(([task, own]) => [task, own.map(({ id }) => id)]));
}

/** Reads the tasks at work and those of the issues that were found, whatever their age. */
async function readTasks(
  { repo }: RepoContext,
  found: readonly ObjectiveIssue[],
  { store }: Pick<Deps, "store">,
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

/** Makes the trust check look at the objective's label, whatever the board. */
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

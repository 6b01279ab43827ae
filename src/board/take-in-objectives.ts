import type { RepoConfig } from "../config/schema/repo-config.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import { isObjective, objectiveTaskId } from "../domain/objective.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { digest } from "../shared/digest.ts";
import { intake } from "./intake.ts";
import type { Asked, Intake } from "./intake.ts";
import { specOfObjective } from "./issue/task-from-issue.ts";

interface SeenObjectives extends Pick<Asked, "decisions" | "readAt"> {
  readonly found: readonly ObjectiveIssue[];
  readonly stored: RepoMemory;
}

export interface ObjectivesIntake extends Pick<Intake, "decisions" | "wrote"> {
  /** No trusted person stands behind these objectives. */
  readonly untrusted: ReadonlySet<TaskId>;
}

/**
 * Takes in new, edited and taken-back objectives by the rules for tasks: whoever put the label on vouches for the text
 * as it was then. An objective that has sub-issues already was broken up by people and is only followed.
 */
export async function takeInObjectives(
  context: RepoContext,
  { found, decisions, readAt, stored }: SeenObjectives,
  deps: Pick<Deps, "background" | "clock" | "github" | "store">,
): Promise<ObjectivesIntake> {
  const tasks = await readTasks(context, { found, stored }, deps);
  const known = new Set(tasks.map(({ repo, issue }) => taskIdOf(repo, issue)));
  const whole = new Set(
    found
      .filter(({ card, subIssues }) => subIssues.length === 0 || known.has(issueId(card)))
      .map(({ card }) => card),
  );
  const taken = await intake(
    { ...context, config: byLabel(context.config) },
    {
      cards: found.map(({ card }) => readCard(card, context.config)),
      readAt,
      tasks,
      landedBefore: new Set(),
      runs: stored.runs,
      decisions,
      absent: "its label was taken off, or it was closed",
      mayBeTask: ({ card }) => whole.has(card),
    },
    deps,
  );
  const held = taken.cards.filter(({ spec }) => spec.invalid !== undefined);
  const untrusted = new Set(held.map(({ card }) => issueId(card)));
  return { decisions: taken.decisions, wrote: taken.wrote, untrusted };
}

/** Reads the tasks at work and those of the issues that were found, whatever their age. */
async function readTasks(
  { repo }: RepoContext,
  { found, stored }: Pick<SeenObjectives, "found" | "stored">,
  { store }: Pick<Deps, "store">,
): Promise<readonly Task[]> {
  const ids = found.map(({ card }) => objectiveTaskId(repo, card.issue.number));
  const older = ids.length === 0 ? [] : await store.tasks(ids);
  const all = [...stored.tasks.filter(isObjective), ...older];
  return [...new Map(all.map((task) => [task.id, task])).values()];
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

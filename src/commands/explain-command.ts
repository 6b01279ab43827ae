import type { CommandAnswer } from "../domain/given-command.ts";
import { isObjective } from "../domain/objective.ts";
import { isPlanned } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { renderPlan } from "../report/render/render-plan.ts";
import { currentPlan, explainTask } from "../scheduler/explain-task.ts";
import type { SchedulerSnapshot } from "../scheduler/snapshot.ts";

/** A comment has room for 65,536 characters, and the rest of it needs some. */
const MAX_PLAN_LENGTH = 40_000;

/** Says why a task is where it is. */
export function explanation(task: Task, snapshot: SchedulerSnapshot): CommandAnswer {
  if (isPlanned(task.state)) return { lines: explainTask(task.id, snapshot) };
  const hint = (isObjective(task) ? OBJECTIVE_HINTS : HINTS)[task.state];
  const state = `${task.state}: ${task.reason}`;
  return { lines: hint === undefined ? [state] : [state, `what would change that: ${hint}`] };
}

type Hints = Readonly<Partial<Record<Task["state"], string>>>;

const HINTS: Hints = {
  failed: "say /retry, or move its card to Ready again",
  cancelled: "say /retry, or move its card to Ready again",
};

const OBJECTIVE_HINTS: Hints = {
  failed: "say /retry, or take the label off and put it on again",
  cancelled: "say /retry, or take the label off and put it on again",
};

/** Shows the waves of the repository as a picture and a table. */
export function planWords(snapshot: SchedulerSnapshot): CommandAnswer {
  const plan = currentPlan(snapshot);
  const tasks = new Map(
    snapshot.tasks.map(({ id, spec }) => [id, { title: spec.title, dependsOn: spec.dependsOn }]),
  );
  const markdown = renderPlan({ repo: snapshot.context.repo, plan, tasks });
  const lines = [
    ...plan.waves.map((wave, at) => `wave ${at + 1}: ${wave.map(shortName).join(", ")}`),
    ...plan.blocked.map(({ id, cause }) => `${shortName(id)} cannot be planned: ${cause.reason}`),
  ];
  const told = lines.length === 0 ? ["nothing is ready to be planned"] : lines;
  return markdown.length > MAX_PLAN_LENGTH
    ? { lines: told.slice(0, 100) }
    : { lines: told, markdown };
}

function shortName(id: string): string {
  return id.slice(Math.max(0, id.lastIndexOf("#")));
}

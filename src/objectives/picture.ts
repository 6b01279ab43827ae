import type { RepoContext } from "../deps.ts";
import type { Card } from "../domain/board.ts";
import { instant, taskIdOf } from "../domain/ids.ts";
import type { TaskId } from "../domain/ids.ts";
import type { DependencyFact, PlannableTask } from "../domain/plan.ts";
import type { Task, TaskSpec } from "../domain/task.ts";
import { planTasks } from "../planner/plan-tasks.ts";
import { renderPicture } from "../report/render-plan.ts";
import type { Part } from "./progress.ts";
import { specOfTask } from "./specs.ts";

interface Surroundings {
  readonly context: RepoContext;
  readonly tasks: ReadonlyMap<TaskId, Task>;
  readonly cards: readonly Card[];
}

/** The waves of an objective as if none of its tasks had begun: a picture that changes only when the tasks do. */
export function pictureOf(parts: readonly Part[], { context, tasks, cards }: Surroundings): string {
  const { repo, config } = context;
  const issues = new Map(cards.map(({ issue }) => [taskIdOf(issue.repo, issue.number), issue]));
  const specOf = (id: TaskId): TaskSpec | undefined => {
    const issue = issues.get(id);
    return tasks.get(id)?.spec ?? (issue && specOfTask(issue, config));
  };
  const planned = parts.flatMap(({ id }, order) => {
    const spec = specOf(id);
    return spec === undefined ? [] : [plannable(spec, id, order)];
  });
  const plan = planTasks(planned, {
    slots: config.limits.parallel,
    facts: landedOutside(planned),
    claims: { barrier: config.barriers, shared: config.shared },
  });
  return renderPicture({ repo, plan, tasks: new Map(planned.map((task) => [task.id, task])) });
}

function plannable(spec: TaskSpec, id: TaskId, order: number): PlannableTask & TaskSpec {
  return { ...spec, id, order, readySince: instant(0), estimateMs: 1 };
}

/** What lies outside of the objective is nothing that the picture is about. */
function landedOutside(planned: readonly PlannableTask[]): ReadonlyMap<TaskId, DependencyFact> {
  return new Map(planned.flatMap(({ dependsOn }) => dependsOn.map((id) => [id, "landed"])));
}

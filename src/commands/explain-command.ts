import type { CommandAnswer } from "../domain/given-command.ts";
import { WHEREABOUTS, reasonOf, whyAt } from "../domain/story/reason-of.ts";
import type { TaskStory } from "../domain/story/task-story.ts";
import { isPlanned } from "../domain/task.ts";
import { renderPlan } from "../report/render/render-plan.ts";
import { currentPlan, explainTask } from "../scheduler/explain-task.ts";
import type { SchedulerSnapshot } from "../scheduler/snapshot.ts";

/** A comment has room for 65,536 characters, and the rest of it needs some. */
const MAX_PLAN_LENGTH = 40_000;

/** Says why a task is where it is. The operator is told where the log is, too; nobody on GitHub could open it. */
export function explanation(
  story: TaskStory,
  snapshot: SchedulerSnapshot,
  { forOperator }: { readonly forOperator: boolean },
): CommandAnswer {
  const { whereabouts, next, logPath } = reasonOf(story);
  const isHeldUp = whereabouts === "waiting" || whereabouts === "blocked";
  const [first = "", ...others] = isHeldUp
    ? heldUpWords(story, snapshot)
    : workWords(story, snapshot);
  return {
    lines: [
      `${WHEREABOUTS[whereabouts].label}: ${first}`,
      ...others,
      ...(isHeldUp || next === "" ? [] : [`what would change that: ${next}`]),
      ...(forOperator && logPath !== undefined ? [`log: ${logPath}`] : []),
    ],
  };
}

/** The plan knows what keeps a task from starting at this moment. Of a failed attempt it knows only that it pauses. */
function heldUpWords(story: TaskStory, snapshot: SchedulerSnapshot): readonly string[] {
  const { task } = story;
  const planned = explainTask(task.id, snapshot);
  if (planned.length === 0) return [task.reason];
  const failed = task.notBefore !== undefined && task.notBefore > snapshot.now;
  return failed ? [whyAt(reasonOf(story), snapshot.now), ...planned] : planned;
}

function workWords(story: TaskStory, snapshot: SchedulerSnapshot): readonly string[] {
  const { task } = story;
  return [
    whyAt(reasonOf(story), snapshot.now),
    ...(isPlanned(task.state) ? explainTask(task.id, snapshot) : []),
  ];
}

/** Shows the waves of the repository as a picture and a table. */
export function planWords(snapshot: SchedulerSnapshot): CommandAnswer {
  const plan = currentPlan(snapshot);
  const tasks = new Map(
    snapshot.tasks.map(({ id, spec }) => [id, { title: spec.title, dependsOn: spec.dependsOn }]),
  );
  const markdown = renderPlan({ repo: snapshot.context.repo, plan, tasks });
  const lines = [
    ...plan.waves.flatMap((wave, at) =>
      wave.length === 0 ? [] : [`wave ${plan.first + at}: ${wave.map(shortName).join(", ")}`],
    ),
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

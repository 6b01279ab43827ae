import { specOfTask } from "../../board/issue/task-from-issue.ts";
import type { RepoReading, Card } from "../../domain/board.ts";
import { taskIdOf, instant } from "../../domain/ids.ts";
import type { TaskId } from "../../domain/ids.ts";
import { objectiveTaskId } from "../../domain/objective.ts";
import type { ObjectiveIssue } from "../../domain/objective.ts";
import type { DependencyFact, PlannableTask } from "../../domain/plan.ts";
import type { Run } from "../../domain/run.ts";
import type { Task, TaskSpec } from "../../domain/task.ts";
import { planTasks } from "../../planner/plan-tasks.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { RepoMemory } from "../../ports/store.ts";
import { publishText } from "../../report/publish/publish-comment.ts";
import { unlessRefused } from "../../report/publish/unless-refused.ts";
import { answerView } from "../../report/render/render-answer.ts";
import { renderPicture } from "../../report/render/render-plan.ts";
import { isReached, partOf } from "./progress.ts";
import type { Part } from "./progress.ts";
import { renderObjective } from "./render-objective.ts";
import type { ObjectiveView } from "./render-objective.ts";

interface Seen {
  readonly found: readonly ObjectiveIssue[];
  readonly untrusted: ReadonlySet<TaskId>;
  readonly reading: RepoReading;
  readonly stored: RepoMemory;
}

/** Brings the comment on each objective in line with what is known. A comment that is already right costs no call. */
export async function report(
  context: RepoContext,
  seen: Seen,
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
): Promise<void> {
  if (seen.found.length === 0) return;
  const { repo, config } = context;
  const memory = await readMemory(context, seen, deps);
  for (const objective of seen.found) {
    const { issue } = objective.card;
    const view = await viewOf(objective, { context, seen, memory }, deps);
    if (view === undefined) continue;
    await publishText({ repo, issue: issue.number, body: renderObjective(view) }, deps);
    if (config.objectives.close && !view.unfinished && isReached(view.parts)) {
      await unlessRefused({ repo, what: "objective closed" }, deps, () =>
        deps.github.closeIssue(repo, issue.number),
      );
    }
  }
}

interface Memory {
  readonly tasks: ReadonlyMap<TaskId, Task>;
  readonly runs: readonly Run[];
  /** These are the numbers of objectives whose issues are still being opened. */
  readonly unfinished: ReadonlySet<number>;
}

async function readMemory(
  { repo }: RepoContext,
  { found, stored }: Seen,
  { store }: Pick<Deps, "store">,
): Promise<Memory> {
  const ids = found.flatMap(({ card, subIssues }) => [
    objectiveTaskId(repo, card.issue.number),
    ...subIssues.map(({ repo: home, number }) => taskIdOf(home, number)),
  ]);
  const open = stored.intents.filter(({ kind }) => kind === "decompose");
  return {
    tasks: new Map((await store.tasks(ids)).map((task) => [task.id, task])),
    runs: await store.runsOf(ids),
    unfinished: new Set(open.map(({ detail }) => Number(detail["issue"]))),
  };
}

/** Returns undefined if there is nothing to say: somebody untrusted labelled an issue that has sub-issues of its own. */
async function viewOf(
  { card, subIssues }: ObjectiveIssue,
  { context, seen, memory }: { context: RepoContext; seen: Seen; memory: Memory },
  deps: Pick<Deps, "store">,
): Promise<ObjectiveView | undefined> {
  const { repo, config } = context;
  const { number } = card.issue;
  const task = memory.tasks.get(objectiveTaskId(repo, number));
  const isFollowed = subIssues.length > 0 && !seen.untrusted.has(taskIdOf(repo, number));
  if (task === undefined && !isFollowed) return undefined;
  const parts = subIssues.map((sub) =>
    partOf(sub, { task: memory.tasks.get(taskIdOf(sub.repo, sub.number)), runs: memory.runs }),
  );
  return {
    repo,
    task,
    parts,
    unfinished: memory.unfinished.has(number),
    run: memory.runs.findLast((run) => run.task === task?.id),
    picture: waveDiagram(parts, { context, tasks: memory.tasks, cards: seen.reading.board.cards }),
    tookMs: tookMs(card.movedAt, parts, memory.tasks),
    closes: config.objectives.close,
    column: config.board.kind === "labels" ? undefined : config.objectives.column,
    answer: answerView(await deps.store.answersOn(repo, [number])),
  };
}

function tookMs(
  from: number,
  parts: readonly Part[],
  tasks: ReadonlyMap<TaskId, Task>,
): number | undefined {
  if (!isReached(parts)) return undefined;
  const landed = parts.flatMap(({ id }) => tasks.get(id) ?? []);
  const last = landed.filter(({ state }) => state === "landed").map(({ changedAt }) => changedAt);
  return last.length === 0 ? undefined : Math.max(...last) - from;
}

interface Surroundings {
  readonly context: RepoContext;
  readonly tasks: ReadonlyMap<TaskId, Task>;
  readonly cards: readonly Card[];
}

/** Draws the waves of an objective as if none of its tasks had begun, so the picture changes only when the tasks do. */
function waveDiagram(parts: readonly Part[], { context, tasks, cards }: Surroundings): string {
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

/** Counts tasks outside of the objective as landed, because the picture is not about them. */
function landedOutside(planned: readonly PlannableTask[]): ReadonlyMap<TaskId, DependencyFact> {
  return new Map(planned.flatMap(({ dependsOn }) => dependsOn.map((id) => [id, "landed"])));
}

import { taskSpecFromIssue } from "../../board/issue/task-from-issue.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { instant, repoName, taskId } from "../../domain/ids.ts";
import type { PlannableTask } from "../../domain/plan.ts";
import type { IssueOrder } from "../../objectives/proposal/create-issues.ts";
import { renderTaskBody, renderWords } from "../../objectives/proposal/render-task-body.ts";
import { planTasks } from "../../planner/plan-tasks.ts";
import { inertLine } from "../../report/render/escape-markdown.ts";
import { digest } from "../../shared/digest.ts";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { namingProblems, phaseNamed, placedSubtasks } from "../input/place-subtasks.ts";
import type { PlacedSubtask } from "../input/place-subtasks.ts";
import type { ReadPhase, ReadPlan, ReadSubtask } from "../input/read-plan-file.ts";

const MAX_BODY_LENGTH = 30_000;
/** Reading a text needs some repository; it does not matter which one. */
const ANYWHERE = repoName("owner/name");

interface OrderedSubtask extends Omit<PlacedSubtask, "needs"> {
  readonly alias: string;
  /** These are aliases. */
  readonly needs: readonly string[];
}

/** A marker in an issue can hold no more characters. */
const MAX_ALIAS_LENGTH = 64;
const DIGEST_LENGTH = 8;

/** Turns a plan into issues, phases first. Subtasks that are done are left out, and nothing waits for them. */
export function ordersOfPlan(
  plan: ReadPlan,
  config: RepoConfig,
): Result<readonly IssueOrder[], readonly string[]> {
  const phases = plan.phases.filter(({ subtasks }) => isLeft(subtasks));
  const problems = namingProblems(plan);
  if (problems.length > 0) return fail(problems);
  const subtasks = placedSubtasks(plan).map((one) => placed(one, plan));
  const orders = [
    ...phases.map((phase) => phaseOrder(phase, { plan, phases, config })),
    ...subtasks.map((one) => subtaskOrder(one, { plan, config })),
  ];
  const late = [
    ...aliasProblems(orders, plan),
    ...textProblems(subtasks, { plan, config }),
    ...circles(phases, subtasks),
  ];
  return late.length > 0 ? fail(late) : ok(orders);
}

function isLeft(subtasks: readonly ReadSubtask[]): boolean {
  return subtasks.length === 0 || subtasks.some(({ done }) => !done);
}

function aliasOfPhase({ names: [first] }: ReadPhase, plan: ReadPlan): string {
  return planAlias(plan.name, first);
}

function placed(subtask: PlacedSubtask, plan: ReadPlan): OrderedSubtask {
  const aliasOf = ({ phase, id }: PlacedSubtask): string =>
    planAlias(plan.name, phase.names[0], id);
  return { ...subtask, alias: aliasOf(subtask), needs: subtask.needs.map(aliasOf) };
}

interface Surroundings {
  readonly plan: ReadPlan;
  readonly config: RepoConfig;
}

function phaseOrder(
  phase: ReadPhase,
  { plan, phases, config }: Surroundings & { readonly phases: readonly ReadPhase[] },
): IssueOrder {
  const alias = aliasOfPhase(phase, plan);
  const needs = phase.dependsOn.flatMap((name) => phaseNamed(name, phases) ?? []);
  return {
    alias,
    title: inertLine(phase.title, 200),
    body: renderTaskBody({
      alias,
      files: [],
      words: renderWords(phase.description, MAX_BODY_LENGTH),
      origin: `A phase of ${inertLine(plan.name, 200)}.`,
    }),
    labels: phase.parallelSafe ? [config.labels.parallelSafe] : [],
    parent: undefined,
    dependsOn: needs.map((one) => aliasOfPhase(one, plan)),
  };
}

function subtaskOrder(one: OrderedSubtask, { plan, config }: Surroundings): IssueOrder {
  const { alias, title, description, files, labels, size, phase, needs } = one;
  return {
    alias,
    title: inertLine(title, 200),
    body: renderTaskBody({
      alias,
      files,
      words: renderWords(description, MAX_BODY_LENGTH),
      origin: `Part of ${inertLine(plan.name, 200)}, ${inertLine(phase.title, 200)}.`,
    }),
    labels: [...labels, ...(size === undefined ? [] : [`${config.labels.sizePrefix}${size}`])],
    parent: aliasOfPhase(phase, plan),
    dependsOn: needs,
  };
}

function aliasProblems(orders: readonly IssueOrder[], { file }: ReadPlan): readonly string[] {
  const seen = new Set<string>();
  return orders.flatMap(({ alias, title }) => {
    if (seen.has(alias)) return [`${file}: the id of ${quote(title)} is taken by another`];
    seen.add(alias);
    return [];
  });
}

/** Reads the subtask's issue as the board will read it. */
function specOf(one: OrderedSubtask, surroundings: Surroundings) {
  const { title, body, labels } = subtaskOrder(one, surroundings);
  const issue = {
    repo: ANYWHERE,
    number: 1,
    nodeId: "",
    title,
    body,
    labels,
    state: "open",
  } as const;
  return taskSpecFromIssue({ ...issue, parent: undefined, blockedBy: [] }, surroundings.config);
}

function textProblems(
  subtasks: readonly OrderedSubtask[],
  surroundings: Surroundings,
): readonly string[] {
  return subtasks.flatMap((one) => {
    const { invalid } = specOf(one, surroundings);
    return invalid === undefined ? [] : [`${one.at}: ${invalid.reason}`];
  });
}

/** A subtask waits for those that it names and for every one of the phases before its own. */
function circles(
  phases: readonly ReadPhase[],
  subtasks: readonly OrderedSubtask[],
): readonly string[] {
  const before = (phase: ReadPhase): readonly string[] => {
    const needed = phase.dependsOn.flatMap((name) => phaseNamed(name, phases) ?? []);
    return subtasks.filter((one) => needed.includes(one.phase)).map(({ alias }) => alias);
  };
  const tasks = subtasks.map(({ alias, needs, phase }, order): PlannableTask => {
    const dependsOn = [...new Set([...needs, ...before(phase)])].map(taskId);
    return { ...FREE, id: taskId(alias), dependsOn, order };
  });
  const { blocked } = planTasks(tasks, { slots: 1 });
  return blocked.map(({ id, cause }) => {
    const at = subtasks.find(({ alias }) => alias === id)?.at ?? id;
    return `${at}: ${cause.reason}`;
  });
}

const FREE: Omit<PlannableTask, "id" | "dependsOn" | "order"> = {
  title: "",
  claims: [],
  parallelSafe: true,
  exclusive: false,
  size: undefined,
  runner: undefined,
  priority: "normal" as const,
  parent: undefined,
  invalid: undefined,
  readySince: instant(0),
  estimateMs: 1,
};

/** Makes a name for something in a plan that is the same at every import, however long or odd the ids in the file are. */
function planAlias(...ids: readonly string[]): string {
  const slugs = ids.map(
    (id) =>
      id
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join("-") ?? "",
  );
  const alias = slugs.join(".");
  const isPlain = slugs.every((slug) => slug !== "") && alias.length <= MAX_ALIAS_LENGTH;
  if (isPlain) return alias;
  const room = MAX_ALIAS_LENGTH - DIGEST_LENGTH - 1;
  return `${alias.slice(0, room)}-${digest(ids).slice(0, DIGEST_LENGTH)}`;
}

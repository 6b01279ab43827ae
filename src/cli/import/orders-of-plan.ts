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
import type { ReadPhase, ReadPlan, ReadSubtask } from "./read-plan-file.ts";

const MAX_BODY_LENGTH = 30_000;
/** Reading a text needs some repository; it does not matter which one. */
const ANYWHERE = repoName("owner/name");

interface PlacedSubtask extends ReadSubtask {
  readonly phase: ReadPhase;
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
  const problems = [
    ...plan.phases.flatMap((phase) => phaseProblems(phase, plan)),
    ...plan.phases.flatMap(({ subtasks }) => subtasks.flatMap((one) => subtaskProblems(one, plan))),
  ];
  if (problems.length > 0) return fail(problems);
  const subtasks = phases.flatMap((phase) => placed(phase, plan));
  const orders = [
    ...phases.map((phase) => phaseOrder(phase, { plan, phases, config })),
    ...subtasks.map((one) => subtaskOrder(one, { plan, config })),
  ];
  const late = [
    ...aliasProblems(orders),
    ...textProblems(subtasks, { plan, config }),
    ...circles(phases, subtasks),
  ];
  return late.length > 0 ? fail(late) : ok(orders);
}

function isLeft(subtasks: readonly ReadSubtask[]): boolean {
  return subtasks.length === 0 || subtasks.some(({ done }) => !done);
}

function phaseNamed(name: string, phases: readonly ReadPhase[]): ReadPhase | undefined {
  return (
    phases.find(({ names: [first] }) => first === name) ??
    phases.find(({ names }) => names.includes(name))
  );
}

function phaseProblems({ dependsOn, at }: ReadPhase, { phases }: ReadPlan): readonly string[] {
  return dependsOn.flatMap((name, index) =>
    phaseNamed(name, phases) === undefined
      ? [`${at}.depends_on[${index}]: there is no phase ${quote(name)}`]
      : [],
  );
}

function subtaskProblems({ dependsOn, at }: ReadSubtask, { phases }: ReadPlan): readonly string[] {
  const ids = new Set(phases.flatMap(({ subtasks }) => subtasks.map(({ id }) => id)));
  return dependsOn.flatMap((id, index) =>
    ids.has(id) ? [] : [`${at}.depends_on[${index}]: there is no subtask ${quote(id)}`],
  );
}

function aliasOfPhase({ names: [first] }: ReadPhase, plan: ReadPlan): string {
  return planAlias(plan.name, first);
}

function placed(phase: ReadPhase, plan: ReadPlan): readonly PlacedSubtask[] {
  const aliasOf = (home: ReadPhase, id: string): string => planAlias(plan.name, home.names[0], id);
  const holders = [phase, ...plan.phases];
  return phase.subtasks
    .filter(({ done }) => !done)
    .map((one) => ({
      ...one,
      phase,
      alias: aliasOf(phase, one.id),
      // Ids may repeat from phase to phase: a subtask of the same phase is meant first.
      needs: one.dependsOn.flatMap((id) => {
        const home = holders.find(({ subtasks }) => subtasks.some((other) => other.id === id));
        const other = home?.subtasks.find((found) => found.id === id);
        return home === undefined || other?.done !== false ? [] : [aliasOf(home, id)];
      }),
    }));
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

function subtaskOrder(one: PlacedSubtask, { plan, config }: Surroundings): IssueOrder {
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

function aliasProblems(orders: readonly IssueOrder[]): readonly string[] {
  const seen = new Set<string>();
  return orders.flatMap(({ alias, title }) => {
    if (seen.has(alias)) return [`the id of ${quote(title)} is taken by another`];
    seen.add(alias);
    return [];
  });
}

/** Reads the subtask's issue as the board will read it. */
function specOf(one: PlacedSubtask, surroundings: Surroundings) {
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
  subtasks: readonly PlacedSubtask[],
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
  subtasks: readonly PlacedSubtask[],
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

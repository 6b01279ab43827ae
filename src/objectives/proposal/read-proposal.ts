import type * as z from "zod";
import { taskSpecFromIssue } from "../../board/issue/task-from-issue.ts";
import { expectationOf } from "../../config/read/expectation.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { instant, taskId } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { PlannableTask } from "../../domain/plan.ts";
import { planTasks } from "../../planner/plan-tasks.ts";
import { pathText } from "../../shared/path-text.ts";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { ADR_ID, taskOrder } from "./orders-of-proposal.ts";
import { proposalSchema } from "./proposal.ts";
import type { Proposal, ProposedTask } from "./proposal.ts";

export interface ProposalPlace {
  readonly repo: RepoName;
  readonly issue: number;
  readonly config: RepoConfig;
}

/** A longer list would only hide the first problems. */
const MAX_PROBLEMS = 20;

/** Takes a proposal only if every one of its issues would be read as it is meant. Otherwise it returns one line for each problem. */
export function readProposal(
  text: string,
  place: ProposalPlace,
): Result<Proposal, readonly string[]> {
  const json = parseJson(text);
  if (json === undefined) return fail(["the file is not JSON"]);
  const parsed = proposalSchema.safeParse(json.value);
  const problems = parsed.success
    ? proposalProblems(parsed.data, place)
    : parsed.error.issues.map(schemaProblem);
  if (problems.length > 0) return fail(problems.slice(0, MAX_PROBLEMS));
  return parsed.success ? ok(parsed.data) : fail([]);
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // The problem is told in our own words, because the parser's differ from version to version.
    return undefined;
  }
}

function schemaProblem(issue: z.core.$ZodIssue): string {
  return `${pathText(issue.path)}: ${expectationOf(issue)}`;
}

function proposalProblems({ tasks }: Proposal, place: ProposalPlace): readonly string[] {
  const { maxTasks } = place.config.objectives;
  const simple = [
    ...(tasks.length > maxTasks
      ? [`tasks: ${tasks.length} are proposed, the limit is ${maxTasks}`]
      : []),
    ...idProblems(tasks),
    ...tasks.flatMap((task, at) => labelProblems(task, at, place.config.labels)),
    ...tasks.flatMap((task, at) => textProblems(task, at, place)),
  ];
  return simple.length > 0 ? simple : planProblems(tasks, place);
}

function idProblems(tasks: readonly ProposedTask[]): readonly string[] {
  return tasks.flatMap(({ id }, at) => {
    const where = `tasks[${at}].id`;
    if (id === ADR_ID) return [`${where}: ${quote(id)} is the decision's own`];
    const first = tasks.findIndex((task) => task.id === id);
    return first < at ? [`${where}: ${quote(id)} is taken by tasks[${first}]`] : [];
  });
}

function labelProblems(
  { labels }: ProposedTask,
  task: number,
  names: RepoConfig["labels"],
): readonly string[] {
  const known = proposableLabels(names);
  return labels.flatMap((label, at) =>
    known.includes(label)
      ? []
      : [`tasks[${task}].labels[${at}]: expected one of ${known.map(quote).join(", ")}`],
  );
}

/** Lists the labels that a proposal may give. None of them makes anything run. */
export function proposableLabels(names: RepoConfig["labels"]): readonly string[] {
  return [names.parallelSafe, names.exclusive, names.priorityHigh, names.priorityLow];
}

/** Reads each text as the board would read it, because it has to say the same as the fields. */
function textProblems(task: ProposedTask, at: number, place: ProposalPlace): readonly string[] {
  const spec = specOf(task, place);
  const { invalid, claims, dependsOn } = spec;
  if (invalid !== undefined) return [`tasks[${at}]: ${invalid.reason}`];
  if (dependsOn.length > 0 || claims.length > new Set(task.files).size) {
    return [
      `tasks[${at}].body: declares files or dependencies of its own; they belong in the fields of that name`,
    ];
  }
  return [];
}

function specOf(task: ProposedTask, { repo, issue, config }: ProposalPlace) {
  const { title, body, labels } = taskOrder(task, { issue, config });
  return taskSpecFromIssue(
    {
      repo,
      number: issue,
      nodeId: "",
      title,
      body,
      labels,
      state: "open",
      parent: undefined,
      blockedBy: [],
    },
    config,
  );
}

/** Finds dependencies on tasks that do not exist, and circles. */
function planProblems(tasks: readonly ProposedTask[], place: ProposalPlace): readonly string[] {
  const plannable = tasks.map((task, order): PlannableTask => {
    const dependsOn = task.dependsOn.map(taskId);
    const readySince = instant(0);
    return {
      ...specOf(task, place),
      dependsOn,
      id: taskId(task.id),
      order,
      readySince,
      estimateMs: 1,
    };
  });
  const { blocked } = planTasks(plannable, { slots: 1, facts: new Map() });
  return blocked.map(({ id, cause }) => {
    const at = tasks.findIndex((task) => task.id === id);
    return `tasks[${at}].dependsOn: ${cause.reason}`;
  });
}

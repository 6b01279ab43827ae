import * as z from "zod";
import { expectationOf } from "../../config/read/expectation.ts";
import { pathText } from "../../shared/path-text.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

export interface ReadSubtask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly dependsOn: readonly string[];
  readonly labels: readonly string[];
  readonly size: PlanSubtask["size"];
  readonly done: boolean;
  /** It says where the subtask is in the file. */
  readonly at: string;
}

export interface ReadPhase {
  readonly names: readonly [string, ...string[]];
  readonly title: string;
  readonly description: string;
  readonly parallelSafe: boolean;
  readonly dependsOn: readonly string[];
  readonly subtasks: readonly ReadSubtask[];
  readonly at: string;
}

export interface ReadPlan {
  /** It tells the plan from other plans. */
  readonly name: string;
  readonly phases: readonly ReadPhase[];
}

const MAX_PROBLEMS = 20;
const MAX_TITLE_LENGTH = 120;

const name = z.union([z.string().trim().min(1).max(200), z.number().int()], {
  error: "expected a name or a whole number",
});
const words = z.string().max(60_000);
const names = z.array(name, { error: "expected a list of ids" });
const paths = z.array(z.string().trim().min(1).max(1024));

const subtask = z.looseObject({
  id: name
    .optional()
    .describe("By which other subtasks depend on it; its place in the phase if left out."),
  title: words
    .optional()
    .describe("Title of the issue; the first line of the description if left out."),
  name: words.optional().describe("The same as `title`."),
  description: words.optional().describe("What is to be done. Markdown."),
  files: paths
    .optional()
    .describe("Patterns that it may change; `read: PATTERN` and `!PATTERN` work as in an issue."),
  files_to_modify: paths.optional().describe("Added to `files`."),
  files_to_create: paths.optional().describe("Added to `files`."),
  depends_on: names.optional().describe("Ids of subtasks that have to land first, of any phase."),
  dependsOn: names.optional().describe("The same as `depends_on`."),
  labels: z.array(z.string().trim().min(1).max(50)).optional().describe("Labels of the issue."),
  size: z.enum(["s", "m", "l", "xl"]).optional().describe("How much work to expect."),
  status: z.string().optional().describe("`completed` or `done`: it is left out."),
});

const subtasks = z.array(subtask);

const phase = z.looseObject({
  id: name.optional().describe("By which other phases depend on it."),
  phase: name
    .optional()
    .describe("Its number, which is another name for it; its place in the list if left out."),
  title: words.optional().describe("Title of the parent issue."),
  name: words.optional().describe("The same as `title`."),
  description: words.optional().describe("What the phase is about. Markdown."),
  parallel_safe: z
    .boolean()
    .optional()
    .describe("Its subtasks may run beside others, as far as their files allow."),
  parallelSafe: z.boolean().optional().describe("The same as `parallel_safe`."),
  depends_on: names
    .optional()
    .describe("Ids, numbers or names of phases that have to be done first."),
  dependsOn: names.optional().describe("The same as `depends_on`."),
  subtasks: subtasks.optional().describe("Its tasks; each becomes a sub-issue."),
  tasks: subtasks.optional().describe("The same as `subtasks`."),
  chunks: subtasks.optional().describe("The same as `subtasks`."),
});

/** This is a plan of phases and subtasks. Keys that are not named here mean nothing and are left alone. */
const planFileSchema = z.looseObject({
  id: name
    .optional()
    .describe("Tells this plan from others; its name or its file's name if left out."),
  name: words.optional().describe("What the plan is for."),
  title: words.optional().describe("The same as `name`."),
  feature: words.optional().describe("The same as `name`."),
  phases: z.array(phase).min(1).describe("Each becomes a parent issue."),
});

/** Reads all the ways in which such files are written; each problem is one line with the path of the value. */
export function readPlanFile(text: string, file: string): Result<ReadPlan, readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : "";
    return fail([`it is not JSON: ${why}`]);
  }
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) return fail(parsed.error.issues.slice(0, MAX_PROBLEMS).map(problemOf));
  const phases = parsed.data.phases.map(readPhase);
  const problems = phases.flatMap(titleProblems);
  return problems.length > 0 ? fail(problems) : ok({ name: nameOf(parsed.data, file), phases });
}

function problemOf(issue: z.core.$ZodIssue): string {
  return `${pathText(issue.path)}: ${expectationOf(issue)}`;
}

function nameOf({ id, name, title, feature }: PlanFile, file: string): string {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  return String(id ?? name ?? feature ?? title ?? base);
}

function readPhase(phase: PlanPhase, index: number): ReadPhase {
  const { id, phase: number = index + 1, description = "" } = phase;
  const at = `phases[${index}]`;
  const title = phase.title ?? phase.name;
  const known = [id, number, phase.title, phase.name].flatMap((one) => one ?? []).map(String);
  const [first = String(index + 1), ...names] = known;
  return {
    names: [first, ...names],
    title: firstLine(title ?? `Phase ${first}`),
    description,
    parallelSafe: phase.parallel_safe ?? phase.parallelSafe ?? false,
    dependsOn: idsOf(phase),
    subtasks: subtasksOf(phase).map((part, place) => readSubtask(part, place, at)),
    at,
  };
}

function subtasksOf({ subtasks, tasks, chunks }: PlanPhase): readonly PlanSubtask[] {
  return subtasks ?? tasks ?? chunks ?? [];
}

function readSubtask(part: PlanSubtask, index: number, phase: string): ReadSubtask {
  const { description = "", labels = [], size } = part;
  const title = part.title ?? part.name ?? description;
  return {
    id: String(part.id ?? index + 1),
    title: firstLine(title),
    description: description === "" ? title : description,
    files: filesOf(part),
    dependsOn: idsOf(part),
    labels,
    size,
    done: isDone(part),
    at: `${phase}.subtasks[${index}]`,
  };
}

function filesOf({ files, files_to_modify, files_to_create }: PlanSubtask): readonly string[] {
  return [files, files_to_modify, files_to_create].flatMap((some) => some ?? []);
}

function isDone({ status = "" }: PlanSubtask): boolean {
  return /^(?:completed?|done)$/i.test(status.trim());
}

function idsOf({ depends_on, dependsOn }: PlanPhase | PlanSubtask): readonly string[] {
  return [...(depends_on ?? []), ...(dependsOn ?? [])].map(String);
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1)}…` : line;
}

function titleProblems({ subtasks }: ReadPhase): readonly string[] {
  return subtasks.flatMap(({ title, at }) =>
    title === "" ? [`${at}: expected a title or a description`] : [],
  );
}

type PlanFile = z.infer<typeof planFileSchema>;

type PlanPhase = PlanFile["phases"][number];

type PlanSubtask = z.infer<typeof subtask>;

/**
 * Describes the file to editors: docs/schema has what it returns.
 * @public
 */
export function planFileJsonSchema(): object {
  return z.toJSONSchema(planFileSchema.meta({ title: "Wavetrain: a plan to import" }), {
    io: "input",
  });
}

import * as z from "zod";
import { expectationOf } from "../../config/read/expectation.ts";
import { readYaml } from "../../config/read/yaml-source.ts";
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
  /** It says where the subtask is: file, line and path. */
  readonly at: string;
  readonly line: number;
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
  /** Messages name the file by this. */
  readonly file: string;
  /** It tells the plan from other plans. */
  readonly name: string;
  readonly phases: readonly ReadPhase[];
}

const MAX_PROBLEMS = 20;
/** A plan may hold texts; this is more than any that was ever seen. */
const MAX_LENGTH = 16 * 1_048_576;
const NO_PLAN = "expected a plan: phases with subtasks (docs/objectives.md)";
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

/** Reads all the ways in which such files are written, JSON or YAML; each problem is one line with file, line and the path of the value. */
export function readPlanFile(text: string, file: string): Result<ReadPlan, readonly string[]> {
  const source = readYaml(text, file, MAX_LENGTH);
  const where: Where = (path) => {
    const { line } = source.placeOf(path);
    return { line, at: `${file}:${line}: ${pathText(path)}` };
  };
  if (source.problems.length > 0) {
    const lines = source.problems.map(({ line, message }) => `${file}:${line}: ${message}`);
    return fail(lines.slice(0, MAX_PROBLEMS));
  }
  if (!isPlan(source.value)) return fail([`${file}:${source.placeOf([]).line}: ${NO_PLAN}`]);
  const parsed = planFileSchema.safeParse(source.value);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, MAX_PROBLEMS);
    return fail(issues.map((issue) => `${where(issue.path).at}: ${expectationOf(issue)}`));
  }
  const phases = parsed.data.phases.map((phase, index) => readPhase(phase, index, where));
  const problems = phases.flatMap(titleProblems);
  return problems.length > 0
    ? fail(problems)
    : ok({ file, name: nameOf(parsed.data, file), phases });
}

function isPlan(value: unknown): boolean {
  return typeof value === "object" && value !== null && "phases" in value;
}

function nameOf({ id, name, title, feature }: PlanFile, file: string): string {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  return String(id ?? name ?? feature ?? title ?? base);
}

/** It says where in the file a value is. */
type Where = (path: readonly PropertyKey[]) => Pick<ReadSubtask, "at" | "line">;

function readPhase(phase: PlanPhase, index: number, where: Where): ReadPhase {
  const { id, phase: number = index + 1, description = "" } = phase;
  const path = ["phases", index];
  const key = KEYS_OF_SUBTASKS.find((one) => phase[one] !== undefined) ?? "subtasks";
  const title = phase.title ?? phase.name;
  const known = [id, number, phase.title, phase.name].flatMap((one) => one ?? []).map(String);
  const [first = String(index + 1), ...names] = known;
  return {
    names: [first, ...names],
    title: firstLine(title ?? `Phase ${first}`),
    description,
    parallelSafe: phase.parallel_safe ?? phase.parallelSafe ?? false,
    dependsOn: idsOf(phase),
    subtasks: (phase[key] ?? []).map((part, place) => ({
      ...readSubtask(part, place),
      ...where([...path, key, place]),
    })),
    at: where(path).at,
  };
}

const KEYS_OF_SUBTASKS = ["subtasks", "tasks", "chunks"] as const;

function readSubtask(part: PlanSubtask, index: number): Omit<ReadSubtask, "at" | "line"> {
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

import type * as z from "zod";
import { expectationOf } from "../../config/expectation.ts";
import { pathText } from "../../shared/path-text.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { planFileSchema } from "./plan-file-schema.ts";
import type { PlanFile, PlanPhase, PlanSubtask } from "./plan-file-schema.ts";

export interface ReadSubtask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly dependsOn: readonly string[];
  readonly labels: readonly string[];
  readonly size: PlanSubtask["size"];
  readonly done: boolean;
  /** Where it is in the file. */
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
  /** Tells it from other plans. */
  readonly name: string;
  readonly phases: readonly ReadPhase[];
}

const MOST_PROBLEMS = 20;
const TITLE_LENGTH = 120;

/** One reading of all the ways in which such files are written; each problem is one line with the path of the value. */
export function readPlanFile(text: string, file: string): Result<ReadPlan, readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : "";
    return fail([`it is not JSON: ${why}`]);
  }
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) return fail(parsed.error.issues.slice(0, MOST_PROBLEMS).map(problemOf));
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
    ...{ names: [first, ...names], title: firstLine(title ?? `Phase ${first}`), description },
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
    ...{ labels, size, done: isDone(part), at: `${phase}.subtasks[${index}]` },
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
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

function titleProblems({ subtasks }: ReadPhase): readonly string[] {
  return subtasks.flatMap(({ title, at }) =>
    title === "" ? [`${at}: expected a title or a description`] : [],
  );
}

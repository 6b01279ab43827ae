import type { Claim } from "../../domain/claim/claim.ts";
import { parseClaim } from "../../domain/claim/parse-claim.ts";
import { MAX_CLAIMS_PER_TASK } from "../../domain/glob/limits.ts";
import { instant, taskId } from "../../domain/ids.ts";
import type { Blocked, Priority, Size, PlannableTask } from "../../domain/plan.ts";
import { estimateWith, learnDurations } from "../../planner/waves/estimate.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { namingProblems } from "./place-subtasks.ts";
import { readPlanFile } from "./read-plan-file.ts";
import { tasksOfPlan } from "./tasks-of-plan.ts";
import type { PhasedTask } from "./tasks-of-plan.ts";
import { YamlReader } from "./yaml-reader.ts";
import type { Field, Item } from "./yaml-reader.ts";

/** This is one task as the file declares it. */
export interface DeclaredTask {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly files: readonly string[];
  readonly reads: readonly string[];
  readonly claims: readonly Claim[];
  readonly dependsOn: readonly string[];
  readonly labels: readonly string[];
  readonly minutes: number | undefined;
  readonly priority: Priority;
  readonly size: Size | undefined;
  readonly runner: string | undefined;
  /** It runs alone, for whatever reason. */
  readonly exclusive: boolean;
  /** In a list every task is; in a plan of phases its phase says so. */
  readonly parallelSafe: boolean;
  readonly invalid: Blocked["cause"] | undefined;
}

const FIELDS = ["id", "title", "body", "files", "reads", "dependsOn", "labels", "minutes"];

/** Reads a list of tasks or a plan of phases, YAML or JSON; each problem is one line that begins with file and line number. */
export function parseTaskFile(
  text: string,
  name: string,
): Result<readonly DeclaredTask[], readonly string[]> {
  const reader = new YamlReader(text, name);
  if (reader.has("phases")) return parsePlan(text, reader);
  const tasks = reader.list(FIELDS).map((item) => declaredTask(item, reader));
  const named = tasks.flatMap(({ task: { id }, idField }) =>
    idField === undefined || id === "" ? [] : [{ id, line: idField.line }],
  );
  noteRepeatedIds(named, reader);
  return reader.problems.length > 0 ? fail(reader.problems) : ok(tasks.map(({ task }) => task));
}

function parsePlan(
  text: string,
  reader: YamlReader,
): Result<readonly DeclaredTask[], readonly string[]> {
  const plan = readPlanFile(text, reader.name);
  if (!plan.ok) return plan;
  const problems = namingProblems(plan.value);
  if (problems.length > 0) return fail(problems);
  const phased = tasksOfPlan(plan.value);
  const tasks = phased.map((task) => taskOfPhase(task, reader));
  noteRepeatedIds(phased, reader);
  return reader.problems.length > 0 ? fail(reader.problems) : ok(tasks);
}

/** A subtask's declarations are read as a task of a list would be. */
function taskOfPhase({ line, files, labels, ...task }: PhasedTask, reader: YamlReader) {
  const at = (text: string): Line => ({ text, line });
  const read = readLabels(labels.map(at), reader);
  return {
    ...task,
    ...readClaims(files.map(at), [], reader),
    ...read,
    files,
    reads: [],
    labels,
    minutes: undefined,
    size: task.size ?? read.size,
    exclusive: read.exclusive || !task.parallelSafe,
  };
}

interface Declared {
  readonly task: DeclaredTask;
  readonly idField: Field | undefined;
}

function declaredTask(item: Item, reader: YamlReader): Declared {
  const idField = item.get("id");
  const id = reader.word(idField) ?? "";
  if (idField === undefined) reader.note(item.line, "the task has no id");
  const files = reader.texts(item.get("files"), "files must be a list of patterns");
  const reads = reader.texts(item.get("reads"), "reads must be a list of patterns");
  const labels = reader.texts(item.get("labels"), "labels must be a list of words");
  const { claims, invalid } = readClaims(files, reads, reader);
  return {
    idField,
    task: {
      id,
      title: reader.text(item.get("title")) ?? "",
      body: reader.text(item.get("body")) ?? "",
      files: files.map(({ text }) => text),
      reads: reads.map(({ text }) => text),
      claims,
      dependsOn: reader.words(item.get("dependsOn"), "dependsOn must be a list of task ids"),
      labels: labels.map(({ text }) => text),
      minutes: reader.positive(item.get("minutes")),
      ...readLabels(labels, reader),
      parallelSafe: true,
      invalid,
    },
  };
}

interface Line {
  readonly text: string;
  readonly line: number;
}

function readClaims(files: readonly Line[], reads: readonly Line[], reader: YamlReader) {
  const lines = [...files, ...reads.map(({ text, line }) => ({ text: `read: ${text}`, line }))];
  const claims: Claim[] = [];
  let invalid: Blocked["cause"] | undefined;
  for (const { text, line } of lines) {
    const claim = parseClaim(text);
    if (claim.ok) claims.push(claim.value);
    else invalid ??= badClaim(`${reader.name}:${line}: ${quoted(text)}: ${claim.error.reason}`);
  }
  if (claims.length > MAX_CLAIMS_PER_TASK) {
    invalid ??= badClaim(
      `${claims.length} patterns are declared, the limit is ${MAX_CLAIMS_PER_TASK}`,
    );
  }
  return { claims, invalid };
}

function badClaim(reason: string): Blocked["cause"] {
  return { code: "bad-claim", reason };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

const PRIORITIES: Readonly<Record<string, Priority>> = {
  high: "high",
  normal: "normal",
  low: "low",
};
const SIZES: Readonly<Record<string, Size>> = { s: "s", m: "m", l: "l", xl: "xl" };

function readLabels(labels: readonly Line[], reader: YamlReader) {
  const words = new Set(labels.map(({ text }) => text.toLowerCase()));
  const valueOf = (prefix: string): Line | undefined => {
    const found = labels.find(({ text }) => text.toLowerCase().startsWith(prefix));
    return found && { ...found, text: found.text.slice(prefix.length).toLowerCase() };
  };
  return {
    priority: reader.choice(valueOf("priority:"), PRIORITIES, "priority") ?? "normal",
    size: reader.choice(valueOf("size:"), SIZES, "size"),
    runner: valueOf("runner:")?.text,
    exclusive: words.has("exclusive") || words.has("sequential"),
  };
}

function noteRepeatedIds(
  tasks: readonly { readonly id: string; readonly line: number }[],
  reader: YamlReader,
): void {
  const lines = new Map<string, number>();
  for (const { id, line } of tasks) {
    const first = lines.get(id);
    if (first === undefined) lines.set(id, line);
    else reader.note(line, `the id ${id} is taken: see line ${first}`);
  }
}

/**
 * In a list, a task that declares the files it may change is parallel-safe unless it is labelled `exclusive` or
 * `sequential`. Ties are broken by id, so the order of the file never changes the plan.
 */
export function plannableTasks(declared: readonly DeclaredTask[]): readonly PlannableTask[] {
  const model = learnDurations([]);
  const sorted = declared.toSorted((a, b) => compareIds(a.id, b.id));
  return sorted.map((task, at) => ({
    id: taskId(task.id),
    order: at + 1,
    title: task.title,
    claims: task.claims,
    dependsOn: task.dependsOn.map(taskId),
    parallelSafe: task.parallelSafe,
    exclusive: task.exclusive && task.parallelSafe,
    priority: task.priority,
    size: task.size,
    parent: undefined,
    runner: task.runner,
    readySince: instant(0),
    estimateMs:
      task.minutes === undefined
        ? estimateWith(model, task).p50Ms
        : Math.max(1, Math.round(task.minutes * 60_000)),
    invalid: task.invalid,
  }));
}

const PARTS = /\d+|\D+/g;

/** Puts `t2` before `t10`. */
function compareIds(a: string, b: string): number {
  const left = a.match(PARTS) ?? [];
  const right = b.match(PARTS) ?? [];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = comparePart(left[at] ?? "", right[at] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
}

function comparePart(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  return (Number.isNaN(x) || Number.isNaN(y) ? 0 : x - y) || compareText(a, b);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

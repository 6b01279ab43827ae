import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import type { PlannableTask } from "../../domain/plan.ts";
import { plannableTasks } from "../plannable-tasks.ts";
import { parseTaskFile } from "../task-file.ts";
import { makePlan } from "./make-plan.ts";
import type { PlanView } from "./make-plan.ts";
import { renderJson } from "./render-json.ts";
import { renderMermaid } from "./render-mermaid.ts";
import { renderText } from "./render-text.ts";

interface PlanOptions {
  readonly tasks: string;
  readonly parallel: number;
  readonly schedule: "rolling" | "waves";
  readonly json?: true;
  readonly mermaid?: true;
}

const UNUSABLE = { exitCode: 2 };
const NARROWEST = 60;
const WIDEST = 160;

const HELP = `
FILE is YAML or JSON: a list of { id, title?, files?, reads?, dependsOn?, labels?, minutes? }.
  files      patterns that the task may change; "read: P" and "!P" work as in an issue
  reads      patterns that have to stay as they are while it runs
  dependsOn  ids of tasks that have to land first
  labels     exclusive, sequential, priority:high|normal|low, size:s|m|l|xl, runner:NAME
  minutes    expected time; otherwise a guess by size
A task that declares files runs beside others unless it is labelled exclusive or sequential.
A task that declares none runs alone.

Exit code: 0, also when tasks are blocked; 2 when FILE is unusable.`;

export function planCommand(): Command {
  return new Command("plan")
    .description("show which tasks can run at the same time, without running anything")
    .requiredOption("--tasks <file>", "task file, or - for standard input")
    .option("--parallel <n>", "slots: runs at the same time", slotCount, 4)
    .addOption(
      new Option("--schedule <mode>", "start tasks as soon as possible, or wave by wave")
        .choices(["rolling", "waves"])
        .default("rolling"),
    )
    .addOption(new Option("--json", "print the plan as JSON").conflicts("mermaid"))
    .option("--mermaid", "print the plan as a Mermaid flowchart")
    .addHelpText("after", HELP)
    .action(async (options: PlanOptions, command: Command) => {
      const tasks = await readTasks(options.tasks, command);
      const { parallel: slots, schedule } = options;
      console.log(render(makePlan(tasks, { slots, schedule }), options));
    });
}

function render(view: PlanView, { json, mermaid }: PlanOptions): string {
  if (json) return renderJson(view);
  if (mermaid) return renderMermaid(view);
  const columns = process.stdout.columns || 100;
  return renderText(view, Math.min(WIDEST, Math.max(NARROWEST, columns)));
}

function slotCount(given: string): number {
  if (!/^[1-9]\d{0,3}$/.test(given)) {
    throw new InvalidArgumentError("It must be a whole number from 1 to 9999.");
  }
  return Number(given);
}

async function readTasks(file: string, command: Command): Promise<readonly PlannableTask[]> {
  const name = file === "-" ? "stdin" : file;
  const content = await readText(file, command);
  const parsed = parseTaskFile(content, name);
  if (!parsed.ok) return command.error(parsed.error.join("\n"), UNUSABLE);
  return plannableTasks(parsed.value);
}

async function readText(file: string, command: Command): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return command.error(`${file}: cannot be read (${why})`, UNUSABLE);
  }
}

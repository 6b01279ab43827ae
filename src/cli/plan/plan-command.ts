import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command, InvalidArgumentError, Option } from "commander";
import { plannableTasks, parseTaskFile } from "../input/task-file.ts";
import { makePlan } from "./make-plan.ts";
import type { PlanView, PlanInput } from "./make-plan.ts";
import type { RepositoryOptions } from "./read-repository.ts";
import { renderJson, renderMermaid, renderText } from "./render-plan.ts";

interface InputOptions extends RepositoryOptions {
  readonly tasks?: string;
  readonly repo?: string;
}

interface PlanOptions extends InputOptions {
  readonly parallel?: number;
  readonly schedule?: "rolling" | "waves";
  readonly conflicts?: number;
  readonly json?: true;
  readonly mermaid?: true;
}

const USAGE = { exitCode: 2 };
const FILE_DEFAULTS = { parallel: 4, schedule: "rolling" } as const;
const MIN_COLUMNS = 60;
const MAX_COLUMNS = 160;

const HELP = `
FILE is YAML or JSON: a list of { id, title?, files?, reads?, dependsOn?, labels?, minutes? }.
  files      patterns that the task may change; "read: P" and "!P" work as in an issue
  reads      patterns that have to stay as they are while it runs
  dependsOn  ids of tasks that have to land first
  labels     exclusive, sequential, priority:high|normal|low, size:s|m|l|xl, runner:NAME
  minutes    expected time; otherwise a guess by size
A task that declares files runs beside others unless it is labelled exclusive or sequential.
A task that declares none runs alone. A plan of phases and subtasks, as wavetrain import takes it, will do, too.

--repo reads the cards of a project: --project, or the one that .github/wavetrain.yml names. Without
either it reads the open issues that are labelled ready. Nothing is written.

Exit code: 0, also when tasks are blocked; 2 when FILE is unusable or GitHub cannot be read.`;

export function planCommand(): Command {
  return new Command("plan")
    .description("show which tasks can run at the same time, without running anything")
    .addOption(new Option("--tasks <file>", "task file, or - for standard input").conflicts("repo"))
    .option("--repo <owner/name>", "plan the board of a repository on GitHub")
    .addOption(
      new Option("--project <n>", "number of the project of its owner, with --repo")
        .argParser(wholeNumber)
        .conflicts("label"),
    )
    .option("--label <name>", "plan the open issues with this label, with --repo")
    .option("--all", "plan every open issue, not only those that are ready, with --repo")
    .option("--api-url <url>", "root of another GitHub's REST interface, with --repo")
    .option("--token-env <name>", "variable that holds the token, with --repo", "GITHUB_TOKEN")
    .option("--parallel <n>", "slots: runs at the same time (default: 4)", wholeNumber)
    .addOption(
      new Option(
        "--schedule <mode>",
        "start tasks as soon as possible, or wave by wave (default: rolling)",
      ).choices(["rolling", "waves"]),
    )
    .addOption(conflictsOption())
    .addOption(new Option("--json", "print the plan as JSON").conflicts("mermaid"))
    .option("--mermaid", "print the plan as a Mermaid flowchart")
    .addHelpText("after", HELP)
    .action(async (options: PlanOptions, command: Command) => {
      const { tasks, defaults, ...facts } = await readInput(options, command);
      const slots = options.parallel ?? defaults.parallel;
      const schedule = options.schedule ?? defaults.schedule;
      const { conflicts } = options;
      const view = makePlan(tasks, { ...facts, slots, schedule, conflicts });
      command.configureOutput().writeOut?.(`${render(view, options)}\n`);
    });
}

function render(view: PlanView, { json, mermaid }: PlanOptions): string {
  if (json) return renderJson(view);
  if (mermaid) return renderMermaid(view);
  const columns = process.stdout.columns || 100;
  return renderText(view, Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns)));
}

function conflictsOption(): Option {
  const what = "conflicts to list: all, none, or the first so many";
  return new Option("--conflicts <which>", `${what} (default: 1000 with --json, else none)`)
    .argParser(conflictCount)
    .conflicts("mermaid");
}

function conflictCount(given: string): number {
  if (given === "all") return Infinity;
  if (given === "none") return 0;
  if (!/^\d{1,9}$/.test(given)) {
    throw new InvalidArgumentError("It must be all, none or a whole number.");
  }
  return Number(given);
}

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,3}$/.test(given)) {
    throw new InvalidArgumentError("It must be a whole number from 1 to 9999.");
  }
  return Number(given);
}

async function readInput(options: InputOptions, command: Command): Promise<PlanInput> {
  if (options.tasks !== undefined) return readTaskFile(options.tasks, command);
  if (options.repo === undefined) {
    return command.error("error: give --tasks FILE or --repo OWNER/NAME", USAGE);
  }
  // This is loaded only when needed: a GitHub client takes longer to load than a file takes to plan.
  const { readRepository } = await import("./read-repository.ts");
  return readRepository(options.repo, options, command);
}

async function readTaskFile(file: string, command: Command): Promise<PlanInput> {
  const name = file === "-" ? "stdin" : file;
  const parsed = parseTaskFile(await readText(file, command), name);
  if (!parsed.ok) return command.error(parsed.error.join("\n"), USAGE);
  return { tasks: plannableTasks(parsed.value), defaults: FILE_DEFAULTS };
}

async function readText(file: string, command: Command): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return command.error(`${file}: cannot be read (${why})`, USAGE);
  }
}

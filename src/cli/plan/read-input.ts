import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { plannableTasks } from "../plannable-tasks.ts";
import { parseTaskFile } from "../task-file.ts";
import type { InputOptions, PlanInput } from "./plan-input.ts";

const USAGE = { exitCode: 2 };
const FILE_DEFAULTS = { parallel: 4, schedule: "rolling" } as const;

export async function readInput(options: InputOptions, command: Command): Promise<PlanInput> {
  if (options.tasks !== undefined) return readTaskFile(options.tasks, command);
  if (options.repo === undefined) {
    return command.error("error: give --tasks FILE or --repo OWNER/NAME", USAGE);
  }
  // Loaded when needed: a GitHub client takes longer to load than a file takes to plan.
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

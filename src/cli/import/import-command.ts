import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { readVariables } from "../../config/operator/env.ts";
import { AppError } from "../../shared/app-error.ts";
import { readPlanFile } from "../input/read-plan-file.ts";
import type { ReadPlan } from "../input/read-plan-file.ts";
import { remoteAccess, repoNamed } from "../input/remote-access.ts";
import { printable } from "../text/terminal-text.ts";
import type { ImportedIssue } from "./import-plan.ts";

interface ImportOptions {
  readonly repo?: string;
  readonly apiUrl?: string;
  readonly tokenEnv: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const USAGE = { exitCode: 2 };

const HELP = `
FILE is JSON or YAML: { phases: [ { name, parallel_safe, depends_on, subtasks: [ { id, description, files } ] } ] }.
docs/objectives.md describes it, and docs/schema/plan.schema.json in full.

Each phase becomes an issue, each subtask a sub-issue of it, in the backlog: nothing runs until somebody
makes it ready. An issue that an earlier import opened with the same token's account is found again.

The token has to be allowed to open issues and, where the repository has a project, to add cards to it.
Exit code: 0; 2 when FILE is unusable or GitHub refuses.`;

export function importCommand(): Command {
  return new Command("import")
    .description("open the issues of a plan of phases and subtasks, each once")
    .argument("<file>", "the plan")
    .option("--repo <owner/name>", "where to open them (default: $GITHUB_REPOSITORY)")
    .option("--api-url <url>", "root of another GitHub's REST interface")
    .option("--token-env <name>", "variable that holds the token", "GITHUB_TOKEN")
    .option("--dry-run", "say what would be opened, and open nothing")
    .option("--json", "print the issues as JSON")
    .addHelpText("after", HELP)
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const plan = await readPlan(file, command);
      await run({ plan, options }, command);
    });
}

async function readPlan(file: string, command: Command): Promise<ReadPlan> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return command.error(`${file}: cannot be read (${why})`, USAGE);
  });
  const read = readPlanFile(text, file);
  return read.ok ? read.value : fail(read.error, command);
}

async function run(
  { plan, options }: { plan: ReadPlan; options: ImportOptions },
  command: Command,
): Promise<void> {
  const given = options.repo ?? readVariables()["GITHUB_REPOSITORY"];
  if (given === undefined) return command.error("error: give --repo OWNER/NAME", USAGE);
  const repo = repoNamed(given, command);
  const access = remoteAccess(options, command);
  const out = command.configureOutput();
  const say = (line: string): unknown => out.writeOut?.(`${line}\n`);
  const { json = false, dryRun = false } = options;
  // This is loaded only when needed: a GitHub client takes longer to load than a file takes to check.
  const { importPlan } = await import("./import-plan.ts");
  try {
    const tell = (issue: ImportedIssue): void => {
      if (!json) say(lineOf(issue));
    };
    const result = await importPlan(access, { repo, plan, dryRun, tell });
    if (!result.ok) return fail(result.error, command);
    say(json ? JSON.stringify({ repo, dryRun, issues: result.value }, null, 2) : end(result.value));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    command.error(`error: ${error.message}`, USAGE);
  }
}

function fail(problems: readonly string[], command: Command): never {
  return command.error(problems.join("\n"), USAGE);
}

function lineOf({ number, title, parent, state }: ImportedIssue): string {
  const indent = parent === undefined ? "" : "  ";
  const what = state === "would-open" ? "would open" : `#${number ?? 0}`;
  return `${indent}${what}  ${printable(title)}`;
}

function end(issues: readonly ImportedIssue[]): string {
  const count = (state: ImportedIssue["state"]): number =>
    issues.filter((issue) => issue.state === state).length;
  const would = count("would-open");
  const found = `${count("found")} found`;
  return would > 0 ? `${would} would be opened, ${found}` : `${count("opened")} opened, ${found}`;
}

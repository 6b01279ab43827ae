import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fail, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";
import { parseTaskFile } from "../../input/task-file.ts";
import type { DeclaredTask } from "../../input/task-file.ts";
import {
  checkPlainOptions,
  firstProblem,
  programProblem,
  typedCommand,
  wholeNumber,
  WORK_PROBLEMS,
} from "../../trial/check-options.ts";
import type { Problem, Variables } from "../../trial/check-options.ts";
import { findRunner } from "../../trial/find-runner.ts";
import { findSource } from "../../trial/find-source.ts";
import type { RawOptions, TryOptions } from "./options.ts";
import { SAMPLE_TASKS, SAMPLE_VERIFY } from "./sample-project.ts";

/** Finds everything that can be wrong before anything starts; each problem is one line. */
export async function checkInput(
  raw: RawOptions,
  environment: Variables,
): Promise<Result<TryOptions, string>> {
  const settings = checkSettings(raw, environment);
  if (!settings.ok) return settings;
  const { setup, verify } = raw;
  const programs = { "--setup": setup, "--verify": verify };
  const problem =
    firstProblem(raw, PARTNER_PROBLEMS) ?? (await programProblem(programs, environment.PATH ?? ""));
  if (problem !== undefined) return fail(problem);
  const wanted = { variables: environment, env: settings.value.env };
  const runner = raw.runner === undefined ? ok(undefined) : await findRunner(raw.runner, wanted);
  if (!runner.ok) return runner;
  const work = await findWork(raw, environment);
  if (!work.ok) return work;
  const options = { ...settings.value, ...work.value, runner: runner.value };
  return runner.value === undefined ? ok(options) : withGoodRunner(options, environment);
}

/** This loads what doctor works with, which only a runner needs. */
async function withGoodRunner(
  options: TryOptions,
  environment: Variables,
): Promise<Result<TryOptions, string>> {
  const { NOWHERE, runnerProblem } = await import("../../trial/check-runner.ts");
  const { trialSettings } = await import("./trial-config.ts");
  const problem = await runnerProblem(await trialSettings(options, NOWHERE), environment);
  return problem === undefined ? ok(options) : fail(problem);
}

type Work = Pick<TryOptions, "repo" | "tasks" | "command" | "files" | "setup" | "verify">;

async function findWork(raw: RawOptions, environment: Variables): Promise<Result<Work, string>> {
  const folder = typedIn(environment);
  const path = environment.PATH ?? "";
  const source = await findSource(raw.repo && resolve(folder, raw.repo), { PATH: path });
  if (!source.ok) return source;
  const repo = source.value;
  const tasks = await readTasks(raw.tasks, folder);
  if (!tasks.ok) return tasks;
  const typed = await typedCommand(raw, { folder, repo, path });
  if (!typed.ok) return typed;
  const verify = raw.verify ?? (raw.tasks === undefined ? SAMPLE_VERIFY : undefined);
  return ok({ repo, tasks: tasks.value, ...typed.value, setup: raw.setup, verify });
}

/** npm runs a script in the folder of its package, and says where it was called. */
function typedIn({ INIT_CWD, npm_lifecycle_event, npm_package_name }: Variables): string {
  const byScript = npm_lifecycle_event === "demo" && npm_package_name === "wavetrain";
  return byScript && INIT_CWD !== undefined ? INIT_CWD : process.cwd();
}

type Settings = Omit<TryOptions, keyof Work | "runner">;

function checkSettings(raw: RawOptions, environment: Variables): Result<Settings, string> {
  const parallel = wholeNumber(raw.parallel, { least: 1, most: 64 });
  if (parallel === undefined) return fail("--parallel takes a whole number from 1 to 64");
  const approve = (["auto", "manual"] as const).find((word) => word === raw.approve);
  if (approve === undefined) return fail("--approve takes auto or manual");
  const plain = checkPlainOptions(raw, environment);
  if (!plain.ok) return plain;
  return ok({ ...plain.value, home: "user", parallel, approve, stay: raw.stay === true });
}

/** A repository of one's own needs tasks of one's own, and someone to do them. */
const PARTNER_PROBLEMS: readonly Problem<RawOptions>[] = [
  [
    ({ repo, tasks }) => repo !== undefined && tasks === undefined,
    "--repo needs --tasks FILE: what is to be done",
  ],
  [
    ({ tasks, command, runner }) =>
      tasks !== undefined && command === undefined && runner === undefined,
    "--tasks needs --command CMD or --runner NAME: what does the work in each workspace",
  ],
  ...WORK_PROBLEMS,
  [({ verify }) => verify?.trim() === "", "--verify is empty: leave it out to land unverified"],
  [
    ({ command, tasks }) => command !== undefined && tasks === undefined,
    "--command needs --tasks FILE",
  ],
];

async function readTasks(
  file: string | undefined,
  folder: string,
): Promise<Result<readonly DeclaredTask[], string>> {
  let text = SAMPLE_TASKS;
  if (file !== undefined) {
    const read = await readText(file, folder);
    if (!read.ok) return read;
    text = read.value;
  }
  const name = file === "-" ? "stdin" : (file ?? "sample tasks");
  const parsed = parseTaskFile(text, name);
  if (!parsed.ok) return fail(parsed.error.join("\n"));
  return parsed.value.length === 0 ? fail(`${name}: there are no tasks in it`) : parsed;
}

async function readText(file: string, folder: string): Promise<Result<string, string>> {
  try {
    const read = file === "-" ? textOf(process.stdin) : readFile(resolve(folder, file), "utf8");
    return ok(await read);
  } catch {
    // The reason (missing, a folder, no permission) makes no difference to what the user does next.
    return fail(`${file}: cannot be read`);
  }
}

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { variableName } from "../../../config/schema/runner-schema.ts";
import { fail, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";
import { parseTaskFile } from "../../input/task-file.ts";
import type { DeclaredTask } from "../../input/task-file.ts";
import { findCommand, missingProgram } from "./find-command.ts";
import type { TypedWhere } from "./find-command.ts";
import { findRunner } from "./find-runner.ts";
import { findSource } from "./find-source.ts";
import type { RawOptions, TryOptions } from "./options.ts";
import { SAMPLE_TASKS, SAMPLE_VERIFY } from "./sample-project.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Finds everything that can be wrong before anything starts; each problem is one line. */
export async function checkInput(
  raw: RawOptions,
  environment: Variables,
): Promise<Result<TryOptions, string>> {
  const settings = checkSettings(raw, environment);
  if (!settings.ok) return settings;
  const problem = partnerProblem(raw) ?? (await programProblem(raw, environment.PATH ?? ""));
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
  const { runnerProblem } = await import("./check-runner.ts");
  const problem = await runnerProblem(options, environment);
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

async function typedCommand(
  { command }: RawOptions,
  where: TypedWhere,
): Promise<Result<Pick<Work, "command" | "files">, string>> {
  if (command === undefined) return ok({ command, files: [] });
  const found = await findCommand(command, where);
  return found.ok ? found : fail(`--command: ${found.error}`);
}

/** npm runs a script in the folder of its package, and says where it was called. */
function typedIn({ INIT_CWD, npm_lifecycle_event, npm_package_name }: Variables): string {
  const byScript = npm_lifecycle_event === "demo" && npm_package_name === "wavetrain";
  return byScript && INIT_CWD !== undefined ? INIT_CWD : process.cwd();
}

type Settings = Pick<
  TryOptions,
  "parallel" | "port" | "approve" | "pacing" | "sandbox" | "env" | "stay" | "json" | "keep"
>;

function checkSettings(raw: RawOptions, environment: Variables): Result<Settings, string> {
  const parallel = wholeNumber(raw.parallel, { least: 1, most: 64 });
  if (parallel === undefined) return fail("--parallel takes a whole number from 1 to 64");
  const port = wholeNumber(raw.port, { least: 0, most: 65_535 });
  if (port === undefined) return fail("--port takes a whole number from 0 to 65535");
  const env = raw.env ?? [];
  const problem = variableProblem(env, environment);
  if (problem !== undefined) return fail(problem);
  const ways = checkWays(raw);
  if (!ways.ok) return ways;
  const [stay, json, keep] = [raw.stay === true, raw.json === true, raw.keep === true];
  return ok({ ...ways.value, parallel, port, env, stay, json, keep });
}

/** Checks the options that take one of a few words. */
function checkWays(
  raw: RawOptions,
): Result<Pick<Settings, "approve" | "pacing" | "sandbox">, string> {
  const approve = (["auto", "manual"] as const).find((word) => word === raw.approve);
  if (approve === undefined) return fail("--approve takes auto or manual");
  const pacing = (["polite", "off"] as const).find((word) => word === raw.pacing);
  if (pacing === undefined) return fail("--pacing takes polite or off");
  const sandbox = (["bubblewrap", "none"] as const).find((word) => word === raw.sandbox);
  if (sandbox !== raw.sandbox) return fail("--sandbox takes bubblewrap or none");
  return ok({ approve, pacing, sandbox });
}

function variableProblem(names: readonly string[], environment: Variables): string | undefined {
  for (const name of names) {
    const { error } = variableName.safeParse(name);
    if (error !== undefined) return `--env ${name}: ${error.issues[0]?.message ?? ""}`;
    if (environment[name] === undefined) return `--env ${name}: it is not set`;
  }
  return undefined;
}

function wholeNumber(
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

/** A repository of one's own needs tasks of one's own, and someone to do them. */
const PARTNER_PROBLEMS: readonly (readonly [(raw: RawOptions) => boolean, string])[] = [
  [
    ({ repo, tasks }) => repo !== undefined && tasks === undefined,
    "--repo needs --tasks FILE: what is to be done",
  ],
  [
    ({ command, runner }) => command !== undefined && runner !== undefined,
    "--command and --runner: who does the work is one or the other",
  ],
  [
    ({ tasks, command, runner }) =>
      tasks !== undefined && command === undefined && runner === undefined,
    "--tasks needs --command CMD or --runner NAME: what does the work in each workspace",
  ],
  [({ command }) => command?.trim() === "", "--command is empty"],
  [({ setup }) => setup?.trim() === "", "--setup is empty"],
  [({ verify }) => verify?.trim() === "", "--verify is empty: leave it out to land unverified"],
  [
    ({ command, tasks }) => command !== undefined && tasks === undefined,
    "--command needs --tasks FILE",
  ],
];

function partnerProblem(raw: RawOptions): string | undefined {
  return PARTNER_PROBLEMS.find(([isSo]) => isSo(raw))?.[1];
}

async function programProblem(
  { setup, verify }: RawOptions,
  path: string,
): Promise<string | undefined> {
  for (const [option, value] of [
    ["--setup", setup],
    ["--verify", verify],
  ] as const) {
    const missing = value === undefined ? undefined : await missingProgram(value, path);
    if (missing !== undefined) return `${option}: ${missing}: there is no such program`;
  }
  return undefined;
}

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

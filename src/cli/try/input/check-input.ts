import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import { fail, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";
import { parseTaskFile } from "../../input/task-file.ts";
import type { DeclaredTask } from "../../input/task-file.ts";
import { findRunner, missingProgram } from "./find-runner.ts";
import type { FoundRunner } from "./find-runner.ts";
import { findSource } from "./find-source.ts";
import { SAMPLE_TASKS, SAMPLE_VERIFY } from "./sample-project.ts";

/** These are the options as commander gives them. */
export interface RawOptions {
  readonly repo?: string;
  readonly tasks?: string;
  readonly command?: string;
  readonly runner?: string;
  readonly verify?: string;
  readonly parallel: string;
  readonly approve: string;
  readonly pacing: string;
  readonly port: string;
  readonly json?: boolean;
  readonly keep?: boolean;
}

/** These are the checked options of `wavetrain try`. */
export interface TryOptions {
  /** When undefined, the sample project is used. */
  readonly repo: string | undefined;
  readonly tasks: readonly DeclaredTask[];
  readonly command: string | undefined;
  /** It works instead of a command; without either the scripted runner of the sample does the work. */
  readonly runner: FoundRunner | undefined;
  readonly verify: string | undefined;
  readonly parallel: number;
  readonly approve: "auto" | "manual";
  readonly pacing: "polite" | "off";
  readonly port: number;
  readonly json: boolean;
  readonly keep: boolean;
}

/** Finds everything that can be wrong before anything starts; each problem is one line. */
export async function checkInput(
  raw: RawOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<TryOptions, string>> {
  const settings = checkSettings(raw);
  if (!settings.ok) return settings;
  const problem = partnerProblem(raw) ?? (await programProblem(raw, environment.PATH ?? ""));
  if (problem !== undefined) return fail(problem);
  const runner =
    raw.runner === undefined ? ok(undefined) : await findRunner(raw.runner, environment);
  if (!runner.ok) return runner;
  const work = await findWork(raw, environment.PATH ?? "");
  return work.ok ? ok({ ...settings.value, ...work.value, runner: runner.value }) : work;
}

type Work = Pick<TryOptions, "repo" | "tasks" | "command" | "verify">;

async function findWork(raw: RawOptions, path: string): Promise<Result<Work, string>> {
  const source = await findSource(raw.repo, { PATH: path });
  if (!source.ok) return source;
  const tasks = await readTasks(raw.tasks);
  if (!tasks.ok) return tasks;
  const verify = raw.verify ?? (raw.tasks === undefined ? SAMPLE_VERIFY : undefined);
  return ok({ repo: source.value, tasks: tasks.value, command: raw.command, verify });
}

type Settings = Pick<TryOptions, "parallel" | "port" | "approve" | "pacing" | "json" | "keep">;

function checkSettings(raw: RawOptions): Result<Settings, string> {
  const parallel = wholeNumber(raw.parallel, { least: 1, most: 64 });
  if (parallel === undefined) return fail("--parallel takes a whole number from 1 to 64");
  const port = wholeNumber(raw.port, { least: 0, most: 65_535 });
  if (port === undefined) return fail("--port takes a whole number from 0 to 65535");
  const { approve, pacing } = raw;
  if (approve !== "auto" && approve !== "manual") return fail("--approve takes auto or manual");
  if (pacing !== "polite" && pacing !== "off") return fail("--pacing takes polite or off");
  return ok({ parallel, port, approve, pacing, json: raw.json === true, keep: raw.keep === true });
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
  [
    ({ command, tasks }) => command !== undefined && tasks === undefined,
    "--command needs --tasks FILE",
  ],
];

function partnerProblem(raw: RawOptions): string | undefined {
  return PARTNER_PROBLEMS.find(([isSo]) => isSo(raw))?.[1];
}

async function programProblem(
  { command, verify }: RawOptions,
  path: string,
): Promise<string | undefined> {
  for (const [option, value] of [
    ["--command", command],
    ["--verify", verify],
  ] as const) {
    const missing = value === undefined ? undefined : await missingProgram(value, path);
    if (missing !== undefined) return `${option}: ${missing}: there is no such program`;
  }
  return undefined;
}

async function readTasks(
  file: string | undefined,
): Promise<Result<readonly DeclaredTask[], string>> {
  let text = SAMPLE_TASKS;
  if (file !== undefined) {
    const read = await readText(file);
    if (!read.ok) return read;
    text = read.value;
  }
  const name = file === "-" ? "stdin" : (file ?? "sample tasks");
  const parsed = parseTaskFile(text, name);
  if (!parsed.ok) return fail(parsed.error.join("\n"));
  return parsed.value.length === 0 ? fail(`${name}: there are no tasks in it`) : parsed;
}

async function readText(file: string): Promise<Result<string, string>> {
  try {
    return ok(file === "-" ? await textOf(process.stdin) : await readFile(file, "utf8"));
  } catch {
    // The reason (missing, a folder, no permission) makes no difference to what the user does next.
    return fail(`${file}: cannot be read`);
  }
}

import { variableName } from "../../config/schema/runner-schema.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { findCommand, missingProgram } from "./find-command.ts";
import type { TypedWhere } from "./find-command.ts";
import type { RawTrialOptions, TrialOptions } from "./trial-options.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** A sentence, and when it is true. */
export type Problem<Raw> = readonly [(raw: Raw) => boolean, string];

/** These can be told from the words alone. */
export const WORK_PROBLEMS: readonly Problem<RawTrialOptions>[] = [
  [
    ({ command, runner }) => command !== undefined && runner !== undefined,
    "--command and --runner: who does the work is one or the other",
  ],
  [({ command }) => command?.trim() === "", "--command is empty"],
  [({ setup }) => setup?.trim() === "", "--setup is empty"],
];

export function firstProblem<Raw>(raw: Raw, problems: readonly Problem<Raw>[]): string | undefined {
  return problems.find(([isSo]) => isSo(raw))?.[1];
}

type Plain = Pick<TrialOptions, "port" | "pacing" | "sandbox" | "env" | "json" | "keep">;

/** Checks the options that every trial has and that stand for themselves. */
export function checkPlainOptions(
  raw: RawTrialOptions,
  environment: Variables,
): Result<Plain, string> {
  const port = wholeNumber(raw.port, { least: 0, most: 65_535 });
  if (port === undefined) return fail("--port takes a whole number from 0 to 65535");
  const env = raw.env ?? [];
  const problem = variableProblem(env, environment);
  if (problem !== undefined) return fail(problem);
  const pacing = (["polite", "off"] as const).find((word) => word === raw.pacing);
  if (pacing === undefined) return fail("--pacing takes polite or off");
  const sandbox = (["bubblewrap", "none"] as const).find((word) => word === raw.sandbox);
  if (sandbox !== raw.sandbox) return fail("--sandbox takes bubblewrap or none");
  return ok({ port, env, pacing, sandbox, json: raw.json === true, keep: raw.keep === true });
}

function variableProblem(names: readonly string[], environment: Variables): string | undefined {
  for (const name of names) {
    const { error } = variableName.safeParse(name);
    if (error !== undefined) return `--env ${name}: ${error.issues[0]?.message ?? ""}`;
    if (environment[name] === undefined) return `--env ${name}: it is not set`;
  }
  return undefined;
}

export function wholeNumber(
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Says which of these options begins with a program that is not there. */
export async function programProblem(
  commands: Readonly<Record<string, string | undefined>>,
  path: string,
): Promise<string | undefined> {
  for (const [option, value] of Object.entries(commands)) {
    const missing = value === undefined ? undefined : await missingProgram(value, path);
    if (missing !== undefined) return `${option}: ${missing}: there is no such program`;
  }
  return undefined;
}

/** Finds what a typed command names. */
export async function typedCommand(
  { command }: Pick<RawTrialOptions, "command">,
  where: TypedWhere,
): Promise<Result<Pick<TrialOptions, "command" | "files">, string>> {
  if (command === undefined) return ok({ command, files: [] });
  const found = await findCommand(command, where);
  return found.ok ? found : fail(`--command: ${found.error}`);
}

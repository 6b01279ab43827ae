import { constants } from "node:fs";
import { readFile, access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { NO_OVERRIDES } from "../../../config/operator/env.ts";
import {
  OPERATOR_CONFIG_PATH,
  readOperatorConfig,
} from "../../../config/operator/read-operator-config.ts";
import { problemLine } from "../../../config/read/config-problem.ts";
import type { OperatorConfig } from "../../../config/schema/operator-config.ts";
import { PRESET_NAMES } from "../../../config/schema/runner-schema.ts";
import type { PresetName, RunnerConfig } from "../../../config/schema/runner-schema.ts";
import { missingKeys, wordMissingKeys } from "../../../runner/presets/needed-keys.ts";
import { PRESETS } from "../../../runner/presets/presets.ts";
import { fail, ok } from "../../../shared/result.ts";
import type { Result } from "../../../shared/result.ts";

/** It says who does the work of a trial, and in what sandbox. */
export interface FoundRunner {
  readonly name: string;
  readonly runner: Partial<RunnerConfig>;
  /** It is taken from the operator's file; undefined where there is none. */
  readonly sandbox:
    | Pick<OperatorConfig, "sandbox" | "pidNamespace" | "readable" | "container" | "network">
    | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The programs read their provider's key and address from these variables. A preset that no file configures gets those that are set. */
const KEYS: Readonly<Record<PresetName, readonly string[]>> = {
  codex: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  claude: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
  ],
  opencode: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENCODE_CONFIG_CONTENT"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  copilot: ["COPILOT_GITHUB_TOKEN"],
  aider: ["OPENAI_API_KEY", "OPENAI_API_BASE", "ANTHROPIC_API_KEY"],
};

/** A shell answers these words itself. */
const OF_THE_SHELL = new Set(
  (
    "alias bg break case cd command continue echo eval exec exit export false fg for getopts hash if jobs kill local " +
    "printf pwd read readonly return set shift test time times trap true type ulimit umask unalias unset until wait while"
  ).split(" "),
);

/** Finds the runner in the operator's file of this folder, or else takes the preset of that name. */
export async function findRunner(
  name: string,
  variables: Variables,
): Promise<Result<FoundRunner, string>> {
  const operator = await readOperator(variables);
  if (!operator.ok) return operator;
  const configured = operator.value?.runners[name];
  if (operator.value !== undefined && configured !== undefined) {
    const { sandbox, pidNamespace, readable, container, network } = operator.value;
    const sandboxing = { sandbox, pidNamespace, readable, container, network };
    return withProgram({ name, runner: configured, sandbox: sandboxing }, variables);
  }
  const preset = PRESET_NAMES.find((known) => known === name);
  if (preset === undefined) return fail(unknownRunner(name, operator.value));
  return withProgram(
    { name, runner: { preset, env: [...KEYS[preset]] }, sandbox: undefined },
    variables,
  );
}

/** Reads the operator's file. One that nobody named may be missing, because presets need none. */
async function readOperator(
  variables: Variables,
): Promise<Result<OperatorConfig | undefined, string>> {
  const named = variables.WAVETRAIN_CONFIG?.trim();
  const file = named === undefined || named === "" ? OPERATOR_CONFIG_PATH : named;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return file === named ? fail(`${file}: cannot be read`) : ok(undefined);
  }
  const read = readOperatorConfig({ text, file }, NO_OVERRIDES);
  return read.ok ? ok(read.value) : fail(read.error.map(problemLine).join("\n"));
}

function unknownRunner(name: string, operator: OperatorConfig | undefined): string {
  const known = [...new Set([...Object.keys(operator?.runners ?? {}), ...PRESET_NAMES])];
  return `--runner: there is no runner ${name}; there are ${known.join(", ")}`;
}

/** Checks that the runner has a key and that its program is there, except for a container, which has programs of its own. */
async function withProgram(
  found: FoundRunner,
  variables: Variables,
): Promise<Result<FoundRunner, string>> {
  const { preset, command } = found.runner;
  if (found.sandbox?.sandbox === "container") return withKey(found, variables);
  const program = preset === undefined ? command : PRESETS[preset].program;
  const missing = program && (await missingProgram(program, variables.PATH ?? ""));
  if (missing) return fail(`--runner ${found.name}: ${missing}: there is no such program`);
  return withKey(found, variables);
}

/** A program without a key says nothing for a long time, or fails once for every task. */
function withKey(found: FoundRunner, variables: Variables): Result<FoundRunner, string> {
  const { name, runner } = found;
  const missing = missingKeys(runner, variables);
  if (missing.length === 0) return ok(found);
  const given = missing.filter((key) => runner.env?.includes(key) === true);
  if (given.length > 0) return fail(`--runner ${name}: it has no key: set ${given.join(" or ")}`);
  return fail(`--runner ${name}: ${wordMissingKeys(name, missing)}`);
}

/** Returns the program that a shell command begins with if there is none of that name; undefined also when that cannot be told. */
export async function missingProgram(command: string, path: string): Promise<string | undefined> {
  const [, word = ""] = /^\s*([\w./+-]+)(?=$|[\s;&|<>])/.exec(command) ?? [];
  if (!isProgramHere(word) || OF_THE_SHELL.has(word)) return undefined;
  const places = isAbsolute(word) ? [word] : path.split(delimiter).map((dir) => join(dir, word));
  const found = await Promise.all(places.map(isExecutable));
  return found.includes(true) ? undefined : word;
}

/** A relative path names a file of the workspace, which is not there yet. */
function isProgramHere(word: string): boolean {
  return isAbsolute(word) || /^\w[^/]*$/.test(word);
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

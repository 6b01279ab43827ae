import { readFile } from "node:fs/promises";
import { problemLine } from "../../config/config-problem.ts";
import { NO_OVERRIDES } from "../../config/env.ts";
import { OPERATOR_CONFIG_PATH, readOperatorConfig } from "../../config/read-operator-config.ts";
import { PRESET_NAMES } from "../../config/runner-schema.ts";
import type { PresetName, RunnerConfig } from "../../config/runner-schema.ts";
import type { OperatorConfig } from "../../config/schema.ts";
import { PRESETS } from "../../runner/presets/presets.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { missingProgram } from "./missing-program.ts";

/** Who does the work of a trial, and in what. */
export interface FoundRunner {
  readonly name: string;
  readonly runner: Partial<RunnerConfig>;
  /** As the operator's file says; undefined where there is none. */
  readonly sandbox:
    | Pick<OperatorConfig, "sandbox" | "pidNamespace" | "readable" | "container" | "network">
    | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** What the programs read their provider's key and address from; those that are set are given to a preset of no file. */
const KEYS: Readonly<Record<PresetName, readonly string[]>> = {
  codex: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  claude: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"],
  opencode: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENCODE_CONFIG_CONTENT"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  copilot: ["COPILOT_GITHUB_TOKEN"],
  aider: ["OPENAI_API_KEY", "OPENAI_API_BASE", "ANTHROPIC_API_KEY"],
};

/** A runner of the operator's file in this folder, else the preset of that name. */
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

/** A file that nobody named may be missing: presets need none. */
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

/** A container has programs of its own. */
async function withProgram(
  found: FoundRunner,
  variables: Variables,
): Promise<Result<FoundRunner, string>> {
  const { preset, command } = found.runner;
  if (found.sandbox?.sandbox === "container") return ok(found);
  const program = preset === undefined ? command : PRESETS[preset].program;
  const missing = program && (await missingProgram(program, variables.PATH ?? ""));
  return missing ? fail(`--runner ${found.name}: ${missing}: there is no such program`) : ok(found);
}

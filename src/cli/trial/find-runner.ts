import { readFile } from "node:fs/promises";
import { NO_OVERRIDES } from "../../config/operator/env.ts";
import {
  OPERATOR_CONFIG_PATH,
  readOperatorConfig,
} from "../../config/operator/read-operator-config.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { PRESET_NAMES } from "../../config/schema/runner-schema.ts";
import type { PresetName, RunnerConfig } from "../../config/schema/runner-schema.ts";
import { PRESETS } from "../../runner/presets/presets.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** It says who does the work of a trial, and in what sandbox. */
export interface FoundRunner {
  readonly name: string;
  readonly runner: Partial<RunnerConfig>;
  /** It is taken from the operator's file; undefined where there is none. */
  readonly sandbox:
    | Pick<
        OperatorConfig,
        "sandbox" | "home" | "pidNamespace" | "readable" | "container" | "network"
      >
    | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** These say where the provider is, or hold a configuration with the key in it. */
const ADDRESSES: Readonly<Partial<Record<PresetName, readonly string[]>>> = {
  claude: ["ANTHROPIC_BASE_URL"],
  gemini: ["GOOGLE_GEMINI_BASE_URL"],
  aider: ["OPENAI_API_BASE"],
};

/** A program that takes keys of several providers names none of its own: the usual ones are handed on. */
const USUAL_KEYS: Readonly<Partial<Record<PresetName, readonly string[]>>> = {
  opencode: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENCODE_CONFIG_CONTENT"],
  aider: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
};

export interface Wanted {
  readonly variables: Variables;
  /** These further variables were asked for by `--env`. */
  readonly env: readonly string[];
}

/** Finds the runner in the operator's file of this folder, or else takes the preset of that name. */
export async function findRunner(
  name: string,
  wanted: Wanted,
): Promise<Result<FoundRunner, string>> {
  const operator = await readOperator(wanted.variables);
  if (!operator.ok) return operator;
  const configured = operator.value?.runners[name];
  if (operator.value !== undefined && configured !== undefined) {
    const { sandbox, home, pidNamespace, readable, container, network } = operator.value;
    const sandboxing = { sandbox, home, pidNamespace, readable, container, network };
    const runner = { ...configured, env: [...configured.env, ...wanted.env] };
    return ok({ name, runner, sandbox: sandboxing });
  }
  const preset = PRESET_NAMES.find((known) => known === name);
  if (preset === undefined) return fail(unknownRunner(name, operator.value));
  const runner = { preset, env: [...variablesOf(preset, wanted)] };
  return ok({ name, runner, sandbox: undefined });
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

/** A preset gets the variables of its provider that are set. Where one is needed and none is set, the first is named, so that its absence is found. */
function variablesOf(preset: PresetName, wanted: Wanted): readonly string[] {
  const needed = PRESETS[preset].keys;
  const usual = USUAL_KEYS[preset] ?? needed;
  const also = ADDRESSES[preset] ?? [];
  const isSet = (name: string): boolean => (wanted.variables[name] ?? "").trim() !== "";
  const keys = usual.filter(isSet);
  const missing = keys.length === 0 && wanted.env.length === 0 ? needed.slice(0, 1) : [];
  return [...keys, ...missing, ...also.filter(isSet), ...wanted.env];
}

import type { RunnerConfig } from "../../config/runner-schema.ts";
import type { Preset } from "./preset.ts";

export interface PresetUse {
  readonly runner: Pick<RunnerConfig, "model" | "args">;
  /** The program's path. */
  readonly program: string;
  readonly sandboxed: boolean;
  /** The conversation to go on with. */
  readonly session: string | undefined;
  readonly workspace: string;
  readonly home: string;
  readonly prompt: string;
  readonly promptFile: string;
}

/** The command line and the variables of one run. */
export function presetCommand(
  preset: Preset,
  use: PresetUse,
): { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const { model, args } = use.runner;
  const { session } = use;
  const parts = [
    ...preset.args,
    ...(use.sandboxed ? preset.inSandbox : preset.withoutSandbox),
    ...(model === undefined ? [] : preset.model),
  ];
  const end = session === undefined ? preset.fresh : (preset.resume ?? preset.fresh);
  const fill = filler({ ...use, model: model ?? "", session: session ?? "" });
  const env = Object.entries(preset.env).map(([name, value]) => [name, fill(value)]);
  return {
    argv: [use.program, ...parts.map(fill), ...args, ...end.map(fill)],
    env: Object.fromEntries(env) as Record<string, string>,
  };
}

type Values = Omit<PresetUse, "runner" | "program" | "sandboxed" | "session"> & {
  readonly model: string;
  readonly session: string;
};

/** Each word once: a value that looks like one stays as it is. */
function filler(values: Values): (text: string) => string {
  const known: Readonly<Record<string, string>> = {
    workspace: values.workspace,
    home: values.home,
    model: values.model,
    session: values.session,
    prompt: values.prompt,
    promptFile: values.promptFile,
  };
  return (text) => text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}

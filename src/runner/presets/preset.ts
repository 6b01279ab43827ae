import type { RunnerConfig } from "../../config/schema/runner-schema.ts";
import type { OutputParser } from "./agent-report.ts";

/**
 * A preset describes as data how an agent program is driven. In `args`, `env` and the like these words are filled in:
 * `{workspace}`, `{home}`, `{model}`, `{session}`, `{prompt}` and `{promptFile}`.
 */
export interface Preset {
  /** The program is looked for on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** Only the outer sandbox counts: these arguments switch the program's own one off, which otherwise fails silently inside ours. */
  readonly inSandbox: readonly string[];
  readonly withoutSandbox: readonly string[];
  readonly model: readonly string[];
  /** These arguments end the command line of a new conversation. */
  readonly fresh: readonly string[];
  /** These end it instead when a conversation goes on. It is undefined when the program cannot do that. */
  readonly resume: readonly string[] | undefined;
  /** It says how to tell whether the program still has a conversation. */
  readonly sessions: Sessions | undefined;
  readonly promptVia: "stdin" | "argument" | "file";
  readonly env: Readonly<Record<string, string>>;
  /** These files are written to HOME, by their path in it. */
  readonly files: Readonly<Record<string, string>>;
  readonly parser: OutputParser;
  /** Without these hosts the program can do nothing. The list is empty where they depend on its model. */
  readonly provider: readonly string[];
  /** The program needs one of these variables. The list is empty where that depends on its model. */
  readonly keys: readonly string[];
  /** Arguments like these name another provider or another way to log in, so that `keys` says nothing. */
  readonly ownProvider: RegExp | undefined;
  /** This line of the prompt tells what the program does not do by itself. */
  readonly note: string | undefined;
  /** This says why the program is never run without a sandbox. It is undefined when it may be. */
  readonly needsSandbox: string | undefined;
}

/** Says where a program keeps its conversations. */
export interface Sessions {
  /** They are below this folder of HOME. */
  readonly folder: string;
  /** Tells whether a file of this name may hold the conversation. */
  readonly isFile: (name: string, session: string) => boolean;
  /** The program finds a conversation only from the folder where it began. */
  readonly byFolder: boolean;
  /** A line like this, and an exit code that is not 0, mean that the program does not know the conversation. */
  readonly unknown: RegExp;
}

export interface PresetUse {
  readonly runner: Pick<RunnerConfig, "model" | "args">;
  readonly program: string;
  readonly sandboxed: boolean;
  /** The run goes on with this conversation. */
  readonly session: string | undefined;
  readonly workspace: string;
  readonly home: string;
  readonly prompt: string;
  readonly promptFile: string;
}

/** Most programs have these values in common. */
export const PLAIN = {
  inSandbox: [],
  withoutSandbox: [],
  fresh: [],
  resume: undefined,
  sessions: undefined,
  promptVia: "stdin",
  files: {},
  provider: [],
  keys: [],
  ownProvider: undefined,
  note: undefined,
  needsSandbox: undefined,
} as const satisfies Partial<Preset>;

/** Returns the command line and the variables of one run. */
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

/** Fills in each word once: a value that looks like such a word stays as it is. */
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

import type { OutputParser } from "./output-parser.ts";

/**
 * How an agent program is driven, as data. In `args`, `env` and the like these words are filled in:
 * `{workspace}`, `{home}`, `{model}`, `{session}`, `{prompt}` and `{promptFile}`.
 */
export interface Preset {
  /** Looked for on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** The outer sandbox is the one that counts: the program's own one is switched off in it, or fails silently. */
  readonly inSandbox: readonly string[];
  readonly withoutSandbox: readonly string[];
  readonly model: readonly string[];
  /** What ends the command line of a new conversation. */
  readonly fresh: readonly string[];
  /** What ends it instead when a conversation goes on; undefined when the program cannot do that. */
  readonly resume: readonly string[] | undefined;
  readonly promptVia: "stdin" | "argument" | "file";
  readonly env: Readonly<Record<string, string>>;
  /** Files of HOME, by their path in it. */
  readonly files: Readonly<Record<string, string>>;
  readonly parser: OutputParser;
  /** Hosts without which it can do nothing; empty where that depends on its model. */
  readonly provider: readonly string[];
  /** A line for the prompt about what the program does not do by itself. */
  readonly note: string | undefined;
  /** Why it is never run without a sandbox; undefined when it may be. */
  readonly needsSandbox: string | undefined;
}

/** What most programs have in common. */
export const PLAIN = {
  inSandbox: [],
  withoutSandbox: [],
  fresh: [],
  resume: undefined,
  promptVia: "stdin",
  files: {},
  provider: [],
  note: undefined,
  needsSandbox: undefined,
} as const satisfies Partial<Preset>;

import type { DeclaredTask } from "../../input/task-file.ts";
import type { FoundRunner } from "./find-runner.ts";

/** These are the options as commander gives them. */
export interface RawOptions {
  readonly repo?: string;
  readonly tasks?: string;
  readonly command?: string;
  readonly runner?: string;
  readonly setup?: string;
  readonly verify?: string;
  readonly env?: readonly string[];
  readonly sandbox?: string;
  readonly parallel: string;
  readonly approve: string;
  readonly pacing: string;
  readonly port: string;
  readonly stay?: boolean;
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
  /** The command names these files of this machine. */
  readonly files: readonly string[];
  readonly setup: string | undefined;
  readonly verify: string | undefined;
  /** The work may see these variables in a sandbox, besides those of its provider. */
  readonly env: readonly string[];
  /** When undefined, a typed command has none, and everything else the best that works here. */
  readonly sandbox: "bubblewrap" | "none" | undefined;
  readonly parallel: number;
  readonly approve: "auto" | "manual";
  readonly pacing: "polite" | "off";
  readonly port: number;
  /** It goes on until Ctrl-C, also when all is done. */
  readonly stay: boolean;
  readonly json: boolean;
  readonly keep: boolean;
}

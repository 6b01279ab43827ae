import type { FoundRunner } from "./find-runner.ts";

/** These options of a trial are given as commander gives them. */
export interface RawTrialOptions {
  readonly repo?: string;
  readonly command?: string;
  readonly runner?: string;
  readonly setup?: string;
  readonly verify?: string;
  readonly env?: readonly string[];
  readonly sandbox?: string;
  readonly pacing: string;
  readonly port: string;
  readonly json?: boolean;
  readonly keep?: boolean;
}

/** These checked options say who does the work of a trial, in what surroundings, and what is shown of it. */
export interface TrialOptions {
  readonly command: string | undefined;
  /** It works instead of a command. */
  readonly runner: FoundRunner | undefined;
  /** The command names these files of this machine. */
  readonly files: readonly string[];
  readonly setup: string | undefined;
  readonly verify: string | undefined;
  /** The work may see these variables where it does not see all, besides those of its provider. */
  readonly env: readonly string[];
  /** When undefined, a typed command has none, and everything else the best that works here. */
  readonly sandbox: "bubblewrap" | "none" | undefined;
  /** A typed command without a sandbox has the HOME and the variables of its user, or a HOME of its own. */
  readonly home: "own" | "user";
  readonly pacing: "polite" | "off";
  readonly port: number;
  readonly json: boolean;
  readonly keep: boolean;
}

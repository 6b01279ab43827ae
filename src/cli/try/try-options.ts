import type { DeclaredTask } from "../task-file.ts";
import type { FoundRunner } from "./find-runner.ts";

/** What `wavetrain try` was asked to do, checked. */
export interface TryOptions {
  /** Undefined: the sample project. */
  readonly repo: string | undefined;
  readonly tasks: readonly DeclaredTask[];
  readonly command: string | undefined;
  /** Instead of a command; without either the scripted runner of the sample does the work. */
  readonly runner: FoundRunner | undefined;
  readonly verify: string | undefined;
  readonly parallel: number;
  readonly approve: "auto" | "manual";
  readonly pacing: "polite" | "off";
  readonly port: number;
  readonly json: boolean;
  readonly keep: boolean;
}

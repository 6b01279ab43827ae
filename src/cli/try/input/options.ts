import type { DeclaredTask } from "../../input/task-file.ts";
import type { RawTrialOptions, TrialOptions } from "../../trial/trial-options.ts";

/** These are the options as commander gives them. */
export interface RawOptions extends RawTrialOptions {
  readonly tasks?: string;
  readonly parallel: string;
  readonly approve: string;
  readonly stay?: boolean;
}

/** These are the checked options of `wavetrain try`. Without command and runner the scripted runner of the sample does the work. */
export interface TryOptions extends TrialOptions {
  /** When undefined, the sample project is used. */
  readonly repo: string | undefined;
  readonly tasks: readonly DeclaredTask[];
  readonly parallel: number;
  readonly approve: "auto" | "manual";
  /** It goes on until Ctrl-C, also when all is done. */
  readonly stay: boolean;
}

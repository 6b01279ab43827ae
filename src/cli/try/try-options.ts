import type { DeclaredTask } from "../task-file.ts";

/** What `wavetrain try` was asked to do, checked. */
export interface TryOptions {
  /** Undefined: the sample project. */
  readonly repo: string | undefined;
  readonly tasks: readonly DeclaredTask[];
  /** Undefined: the scripted runner of the sample. */
  readonly command: string | undefined;
  readonly verify: string | undefined;
  readonly parallel: number;
  readonly approve: "auto" | "manual";
  readonly port: number;
  readonly json: boolean;
  readonly keep: boolean;
}

export interface CommandRequest {
  /** Run by `sh -c`. */
  readonly command: string;
  readonly cwd: string;
  /** The whole environment of the command: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to a file first: a runner must never hold one of our pipes. */
  readonly stdin: string;
  /** Standard output and error go here, appended. */
  readonly logPath: string;
  readonly timeoutMs: number;
  readonly maxLogBytes: number;
  readonly signal: AbortSignal;
}

export type CommandEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "output-limit" }
  | { readonly kind: "cancelled" };

export interface Processes {
  /** Settles only when the command and everything that it started are gone. */
  run(request: CommandRequest): Promise<CommandEnd>;
  /** Ends every process that bears the marker in its `WAVETRAIN_RUN_ID`, e.g. after a crash. */
  reap(marker: string): Promise<void>;
  /** The last characters of a log, for reports. */
  tail(logPath: string, maxBytes: number): Promise<string>;
}

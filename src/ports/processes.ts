export interface DiskLimit {
  /** What they hold together counts. */
  readonly folders: readonly string[];
  readonly maxBytes: number;
  /** Whether nothing of ours has run in them: a command is not even started where they hold too much. */
  readonly areFresh: boolean;
}

export interface CommandLimits {
  readonly wallMs: number;
  /** How long the command may go without progress and without using the processor; no limit when left out. */
  readonly idleMs?: number;
  readonly maxLogBytes: number;
  /** Of any single file that the command writes. */
  readonly maxFileBytes?: number;
  /** Alive at the same time. */
  readonly maxProcesses?: number;
  /** Noticed within seconds while it runs, and for certain when it ends. */
  readonly disk?: DiskLimit;
}

export interface CommandRequest {
  /** Names the command for good: asked for again, also by a later life of this program, it is the same one. */
  readonly id: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** The whole environment of the command: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to a file first: a runner must never hold one of our pipes. */
  readonly stdin: string;
  /** Standard output and error go here, appended. */
  readonly logPath: string;
  readonly limits: CommandLimits;
  /** Whether a line of output is progress; every one is when left out. */
  readonly isProgress?: (line: string) => boolean;
  readonly signal: AbortSignal;
}

export type CommandEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "stalled"; readonly afterMs: number }
  | { readonly kind: "output-limit" }
  | { readonly kind: "process-limit" }
  /** `fresh`: the folders held too much before anything ran in them. */
  | { readonly kind: "disk-limit"; readonly limitBytes: number; readonly fresh?: true }
  | { readonly kind: "cancelled" }
  /** It was killed with its supervision while we looked on, which neither a restart of this program nor of the machine explains. */
  | { readonly kind: "vanished" }
  /** Nobody knows how it ended: its machine or its supervision was ended by force while nobody looked. */
  | { readonly kind: "lost" };

export type CommandState = "absent" | "running" | "ended" | "lost";

export interface Processes {
  /**
   * Settles only when the command and everything that it started are gone. A command that runs already is followed, one that
   * ended answers at once, any other is started.
   */
  run(request: CommandRequest): Promise<CommandEnd>;
  stateOf(id: string): Promise<CommandState>;
  /** Ids of every command that is not forgotten. */
  list(): Promise<readonly string[]>;
  /** Once its end is written down elsewhere: the command `prefix` and all whose ids begin with `prefix/` can be run anew. */
  forget(prefix: string): Promise<void>;
  /** From now on nobody follows: commands go on, `run` of them never settles here, and a later life of this program takes them up. */
  leave(): void;
  /** Ends every process that bears the marker in its `WAVETRAIN_RUN_ID`, e.g. after a crash. */
  reap(marker: string): Promise<void>;
  /** The last characters of a log, for reports. */
  tail(logPath: string, maxBytes: number): Promise<string>;
}

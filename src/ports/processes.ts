export interface DiskLimit {
  /** The limit is for all folders together. */
  readonly folders: readonly string[];
  readonly maxBytes: number;
  /** This says that nothing of ours has run in them. The command is then not even started if they hold too much. */
  readonly areFresh: boolean;
}

export interface CommandLimits {
  readonly wallMs: number;
  /** The command may go this long without progress and without using the processor. There is no limit when it is left out. */
  readonly idleMs?: number;
  readonly maxLogBytes: number;
  /** No single file that the command writes may be larger. */
  readonly maxFileBytes?: number;
  /** The command may have so many processes alive at the same time. */
  readonly maxProcesses?: number;
  /** A breach is noticed within seconds while the command runs, and for certain when it ends. */
  readonly disk?: DiskLimit;
}

export interface CommandRequest {
  /** Names the command for good: the same id means the same command, even for a later process of this program. */
  readonly id: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** This is the whole environment of the command: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** This is written to a file first, because a runner must never hold one of our pipes. */
  readonly stdin: string;
  /** Standard output and error are appended to this file. */
  readonly logPath: string;
  readonly limits: CommandLimits;
  /** Says whether a line of output is progress. Every line is when this is left out. */
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
  /** `fresh` says that the folders held too much before anything ran in them. */
  | { readonly kind: "disk-limit"; readonly limitBytes: number; readonly fresh?: true }
  | { readonly kind: "cancelled" }
  /** It was killed together with its shim while we watched. Neither a restart of this program nor of the machine explains that. */
  | { readonly kind: "vanished" }
  /** Nobody knows how it ended: its machine or its shim was ended by force while nobody watched. */
  | { readonly kind: "lost" };

export type CommandState = "absent" | "running" | "ended" | "lost";

export interface Processes {
  /**
   * Settles only when the command and everything that it started are gone. A command that runs already is followed, one that has
   * ended answers at once, and any other is started.
   */
  run(request: CommandRequest): Promise<CommandEnd>;
  stateOf(id: string): Promise<CommandState>;
  /** Lists the ids of every command that is not forgotten. */
  list(): Promise<readonly string[]>;
  /**
   * Forgets the command `prefix` and all whose ids begin with `prefix/`, so that they can be run anew. The caller must have
   * written down their ends elsewhere.
   */
  forget(prefix: string): Promise<void>;
  /** Stops following: commands go on, their `run` never settles here, and a later process of this program follows them again. */
  leave(): void;
  /** Ends every process that has the marker in its `WAVETRAIN_RUN_ID`, e.g. after a crash. */
  reap(marker: string): Promise<void>;
  /** Reads the last characters of a log, for reports. */
  tail(logPath: string, maxBytes: number): Promise<string>;
}

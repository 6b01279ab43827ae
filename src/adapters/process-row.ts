/** Tells the processes of one run from all others, also those that left its session. */
export const RUN_MARKER = "WAVETRAIN_RUN_ID";

/** A living process; zombies are not listed. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** The program's name, where the system tells it cheaply. */
  readonly name: string;
  /** Opaque; the same pid with another value is another process. */
  readonly started: string;
  /** Processor time of the process and of the children that it has waited for, in hundredths of a second. */
  readonly cpuTicks: number;
  /** From its environment, where we may read that. */
  readonly runId: string | undefined;
}

/** A process that can be recognized after its number was given to another one. */
export type Identity = Pick<ProcessRow, "pid" | "started">;

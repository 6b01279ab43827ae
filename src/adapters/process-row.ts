/** Tells the processes of one run from all others, also those that left its session. */
export const RUN_MARKER = "WAVETRAIN_RUN_ID";

/** A living process; zombies are not listed. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  /** Opaque; the same pid with another value is another process. */
  readonly started: string;
  /** From its environment, where we may read that. */
  readonly runId: string | undefined;
}

/** Where runs and verifications live on this machine, and what of it they may see. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The log of a run or a verification; its folder exists. */
  logPath(id: string): string;
  /** A private HOME and temporary folder, empty at the start. */
  makePrivateFolders(id: string): Promise<{ readonly home: string; readonly tmp: string }>;
  removePrivateFolders(id: string): Promise<void>;
  /** What marks the processes of a run: unique on this machine, the same again after a restart. */
  markerOf(id: string): string;
  /** Bytes of memory that new programs could have. */
  availableMemory(): Promise<number>;
  /** 0 to 1, for jitter. */
  random(): number;
}

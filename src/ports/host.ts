export interface PrivateFolders {
  /** What the app lays out for a run, which only reads it. */
  readonly desk: string;
  readonly home: string;
  readonly tmp: string;
  /** Neither of them was there before: nobody has left anything in them. */
  readonly fresh: boolean;
}

/** Where runs and verifications live on this machine, and what of it they may see. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The log of a run or a verification; its folder exists. */
  logPath(id: string): string;
  /** A HOME that all attempts at a task share, so that a runner finds its session again, and a temporary folder of one run; made unless they are there. */
  makePrivateFolders(owner: {
    readonly home: string;
    readonly tmp: string;
  }): Promise<PrivateFolders>;
  removeTmp(id: string): Promise<void>;
  removeHome(id: string): Promise<void>;
  /** Ids of every HOME that is there. */
  listHomes(): Promise<readonly string[]>;
  /** What marks the processes of a run: unique on this machine, the same again after a restart. */
  markerOf(id: string): string;
  /** What is left on the disk where runs keep their files. */
  freeDiskBytes(): Promise<number>;
  /** Bytes of memory that new programs could have. */
  availableMemory(): Promise<number>;
  /** 0 to 1, for jitter. */
  random(): number;
  /** A part of a name that nobody can know before. */
  nonce(): string;
}

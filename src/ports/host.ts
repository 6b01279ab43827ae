export interface PrivateFolders {
  /** The app puts files for a run here, which the run only reads. */
  readonly inputDir: string;
  readonly home: string;
  readonly tmp: string;
  /** This is true when neither HOME nor the temporary folder was there before, so nobody has left anything in them. */
  readonly fresh: boolean;
}

/** Says where runs and verifications live on this machine, and what they may see of it. */
export interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the path of the log of a run or a verification. Its folder exists. */
  logPath(id: string): string;
  /**
   * Makes a HOME and a temporary folder unless they are there. All attempts at a task share the HOME, so that a runner finds its
   * session again; the temporary folder belongs to one run.
   */
  makePrivateFolders(owner: {
    readonly home: string;
    readonly tmp: string;
  }): Promise<PrivateFolders>;
  removeTmp(id: string): Promise<void>;
  removeHome(id: string): Promise<void>;
  /** Lists the ids of every HOME that is there. */
  listHomes(): Promise<readonly string[]>;
  /** Returns the marker for the processes of a run. It is unique on this machine, and the same again after a restart. */
  markerOf(id: string): string;
  /** Says how much is left on the disk where runs keep their files. */
  freeDiskBytes(): Promise<number>;
  /** Says how many bytes of memory new programs could have. */
  availableMemory(): Promise<number>;
  /** Returns a number from 0 to 1, for jitter. */
  random(): number;
  /** Returns a part of a name that nobody can know before. */
  nonce(): string;
}

/** Gives every workspace its own range of ports. */
export interface PortRanges {
  /**
   * Returns the first port of the workspace's range, or undefined when all are taken. The search begins at a place that follows
   * from the name, so a run that continues after a restart gets the range that its processes already have.
   */
  take(workspace: string): number | undefined;
  release(workspace: string): void;
}

/** Reads and writes files that the app keeps for its runs, outside of their workspaces. */
export interface Files {
  /** Writes a file by its path in a folder. A runner may have had the folder, so no link in it is followed. */
  write(folder: string, path: string, text: string): Promise<void>;
  /**
   * Reads a file by its path in a folder. The result is undefined when there is no plain file, when it is behind a link, or when
   * it is larger than `maxBytes`.
   */
  read(folder: string, path: string, maxBytes: number): Promise<string | undefined>;
  /** Tells whether a plain file of that name is somewhere below a folder in another one. Links are not followed. */
  holds(folder: string, below: string, isNamed: (name: string) => boolean): Promise<boolean>;
  remove(folder: string): Promise<void>;
  /** Visits every line of a log that is short enough to be of use, oldest first. There are none when there is no log. */
  eachLine(path: string, visit: (line: string) => void): Promise<void>;
  /** Reads a part of a log by its place in bytes, and how long the log is. The result is undefined when there is no such plain file. */
  readPart(
    path: string,
    part: { readonly from: number; readonly maxBytes: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly size: number } | undefined>;
  /** Finds the path of a program on the server's PATH. */
  findProgram(name: string): Promise<string | undefined>;
}

/**
 * Puts away what is in the way: nothing in the data folder may keep the app from its work, and nothing of it is thrown away
 * unseen.
 */
export interface Aside {
  /**
   * Moves the path to `<data>/aside/<when>/…` and returns its new place, or leaves it where it is if that cannot be done. It says
   * so once in the log and never throws.
   */
  put(path: string, why: string): Promise<string | undefined>;
  /** Deletes the path. If it cannot be deleted, it is put aside. */
  remove(path: string): Promise<void>;
}

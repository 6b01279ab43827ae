/** Files that the app keeps for its runs, outside of their workspaces. */
export interface Files {
  /** Writes a file of a folder by its path in it. The folder may have been a runner's: no link in it is followed. */
  write(folder: string, path: string, text: string): Promise<void>;
  /** A file of a folder by its path in it; undefined when there is no plain file, or only behind a link, or a larger one. */
  read(folder: string, path: string, maxBytes: number): Promise<string | undefined>;
  remove(folder: string): Promise<void>;
  /** Every line of a log that can be of use, oldest first; longer ones are left out. None when there is no log. */
  eachLine(path: string, visit: (line: string) => void): Promise<void>;
  /** The path of a program of the server's PATH. */
  findProgram(name: string): Promise<string | undefined>;
}

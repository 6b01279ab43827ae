/** It describes one thing wrong with a configuration file, as precisely as the file allows. */
export interface ConfigProblem {
  readonly file: string;
  /** Lines and columns are counted from 1. */
  readonly line: number;
  readonly column: number;
  /** This is the key with dots, such as `limits.parallel`; it is empty for the file as a whole. */
  readonly path: string;
  /** It says what was expected and what was found. */
  readonly message: string;
}

/** Writes one line: where, what, and what was expected. */
export function problemLine(problem: ConfigProblem): string {
  const where = `${problem.file}:${problem.line}:${problem.column}`;
  return problem.path === ""
    ? `${where}: ${problem.message}`
    : `${where}: ${problem.path}: ${problem.message}`;
}

/** One thing wrong with a configuration file, as precise as the file allows. */
export interface ConfigProblem {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The key, with dots: `limits.parallel`; empty for the file as a whole. */
  readonly path: string;
  /** What was expected and what was found. */
  readonly message: string;
}

/** One line: where, what, and what was expected. */
export function problemLine(problem: ConfigProblem): string {
  const where = `${problem.file}:${problem.line}:${problem.column}`;
  return problem.path === ""
    ? `${where}: ${problem.message}`
    : `${where}: ${problem.path}: ${problem.message}`;
}

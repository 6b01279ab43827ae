/** Which tasks may not run at the same time, by their position in the list that the graph was built from. */
export interface ConflictGraph {
  conflicts(i: number, j: number): boolean;
  neighbours(i: number): Iterable<number>;
  degree(i: number): number;
  /** A path that both may touch. */
  example(i: number, j: number): string | undefined;
}

import type { Change } from "../../../domain/change.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { project } from "./project.ts";
import type { Move, Write } from "./write.ts";

/**
 * Holds the ids of rows that may have changed. The other tables are not listed: a repository has few rows in them, and they are
 * always read.
 */
export interface TouchedRows {
  readonly tasks: Set<string>;
  readonly runs: Set<string>;
  readonly entries: Set<string>;
  /** This is true when something may have changed, even if it is in none of these tables. */
  any: boolean;
}

export function noneTouched(): TouchedRows {
  return { tasks: new Set(), runs: new Set(), entries: new Set(), any: false };
}

/** Adds the rows that the changes are about to write. */
export function touch(touched: TouchedRows, repo: RepoName, changes: readonly Change[]): void {
  touched.any = true;
  for (const write of changes.flatMap((change) => project(repo, change))) {
    // Whoever remembers rows forgets all of them when their repository is renamed.
    if (write.kind === "move") continue;
    const { table } = write;
    if (table === "tasks" || table === "runs" || table === "entries")
      touched[table].add(idOf(write));
  }
}

function idOf(write: Exclude<Write, Move>): string {
  return write.kind === "insert" ? write.row.id : write.id;
}

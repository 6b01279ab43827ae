import type { Change } from "../../domain/change.ts";
import type { RepoName } from "../../domain/ids.ts";
import { project } from "./project.ts";
import type { Write } from "./write.ts";

/** Rows that may not be what they were, by id. Of the other tables a repository has few: they are read anyway. */
export interface TouchedRows {
  readonly tasks: Set<string>;
  readonly runs: Set<string>;
  readonly entries: Set<string>;
  /** Something may have changed, be it in none of these. */
  any: boolean;
}

export function noneTouched(): TouchedRows {
  return { tasks: new Set(), runs: new Set(), entries: new Set(), any: false };
}

/** Adds what the changes are about to write. */
export function touch(touched: TouchedRows, repo: RepoName, changes: readonly Change[]): void {
  touched.any = true;
  for (const write of changes.flatMap((change) => project(repo, change))) {
    const { table } = write;
    if (table === "tasks" || table === "runs" || table === "entries")
      touched[table].add(idOf(write));
  }
}

function idOf(write: Write): string {
  return write.kind === "insert" ? write.row.id : write.id;
}

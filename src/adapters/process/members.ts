import type { Identity, ProcessRow } from "./process-table.ts";

/** Says how the processes of one command are recognized. */
export interface Tree {
  /**
   * This is the first process, which leads its own group and session. It is undefined when it can no longer be told from a
   * stranger.
   */
  readonly root: Identity | undefined;
  readonly runId: string;
  /** These processes belonged to the command when we last looked. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Finds the processes of the command: its descendants, its group, its session, those with its marker, and those that belonged to
 * it before.
 */
export function membersOf(
  rows: readonly ProcessRow[],
  { root, runId, seen }: Tree,
): readonly ProcessRow[] {
  const leader = root !== undefined && !isReused(rows, root) ? root.pid : undefined;
  const inGroup = (row: ProcessRow): boolean => row.group === leader || row.session === leader;
  const members = new Map<number, ProcessRow>();
  for (const row of rows)
    if (inGroup(row) || row.runId === runId || seen.has(identityOf(row))) members.set(row.pid, row);
  addDescendants(members, rows);
  return [...members.values()];
}

export function identityOf(row: Identity): string {
  return `${row.pid} ${row.started}`;
}

/** A number stays taken while a group or session has it. So a new process with this number proves that none of ours is left there. */
function isReused(rows: readonly ProcessRow[], root: Identity): boolean {
  return rows.some((row) => row.pid === root.pid && row.started !== root.started);
}

function addDescendants(members: Map<number, ProcessRow>, rows: readonly ProcessRow[]): void {
  for (;;) {
    const found = rows.filter((row) => !members.has(row.pid) && members.has(row.parent));
    if (found.length === 0) return;
    for (const row of found) members.set(row.pid, row);
  }
}

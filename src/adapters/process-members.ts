import type { Identity, ProcessRow } from "./process-row.ts";

/** What one command started, as far as it can be recognized. */
export interface Tree {
  /** The first process: leader of a group and a session of its own. Undefined when it cannot be told from a stranger any more. */
  readonly root: Identity | undefined;
  readonly runId: string;
  /** Identities of processes that belonged to it when we last looked. */
  readonly seen: ReadonlySet<string>;
}

/** Descendants, group, session, bearers of the marker and whoever was one of them before. */
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

/** A number stays taken while a group or session bears it: a new process with it proves that nobody of ours is left there. */
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

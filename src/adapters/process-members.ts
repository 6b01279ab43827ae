import type { ProcessRow } from "./process-row.ts";

/** What one command started, as far as it can be recognized. */
export interface Tree {
  /** The first process: leader of a group and a session of its own. */
  readonly root: number;
  /** Whether the root is still ours to wait for; afterwards its number may be given to a stranger. */
  readonly rootAlive: boolean;
  readonly runId: string;
  /** Identities of processes that belonged to it when we last looked. */
  readonly seen: ReadonlySet<string>;
}

/** Descendants, group, session, bearers of the marker and whoever was one of them before. */
export function membersOf(rows: readonly ProcessRow[], tree: Tree): readonly ProcessRow[] {
  // A number stays taken while a group or session bears it: a new process with it proves that nobody of ours is left there.
  const reused = !tree.rootAlive && rows.some((row) => row.pid === tree.root);
  const inGroup = (row: ProcessRow): boolean =>
    !reused && (row.group === tree.root || row.session === tree.root);
  const members = new Map<number, ProcessRow>();
  for (const row of rows)
    if (inGroup(row) || row.runId === tree.runId || tree.seen.has(identityOf(row)))
      members.set(row.pid, row);
  addDescendants(members, rows);
  return [...members.values()];
}

export function identityOf(row: ProcessRow): string {
  return `${row.pid} ${row.started}`;
}

function addDescendants(members: Map<number, ProcessRow>, rows: readonly ProcessRow[]): void {
  for (;;) {
    const found = rows.filter((row) => !members.has(row.pid) && members.has(row.parent));
    if (found.length === 0) return;
    for (const row of found) members.set(row.pid, row);
  }
}

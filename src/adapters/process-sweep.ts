import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../shared/app-error.ts";
import { identityOf, membersOf, type Tree } from "./process-members.ts";
import type { ProcessRow } from "./process-row.ts";
import { readProcessTable } from "./process-table.ts";

/** The processes of one command, followed while it runs and ended when it is over. */
export interface ProcessTree {
  /** Remembers who belongs to it now, so that one that later cuts every tie is still known. */
  observe(): Promise<void>;
  interrupt(): void;
  /** Settles when none is left. */
  sweep(): Promise<void>;
}

/** `rootAlive` tells whether the root is still ours to wait for; afterwards its number may be given to a stranger. */
export type FollowProcesses = (
  command: Pick<Tree, "root" | "runId"> & { readonly rootAlive: () => boolean },
) => ProcessTree;

// A killed process is gone in milliseconds; longer means that it hangs in the kernel, and a person should know.
const SWEEP_LIMIT_MS = 15_000;
const ROUND_PAUSE_MS = 10;
// Reading the whole table costs some 20 ms: all commands of the host are observed in one reading a second.
const OBSERVED_AGE_MS = 900;

export function createProcessFollower(): FollowProcesses {
  const readRecentTable = shareFor(OBSERVED_AGE_MS, readProcessTable);
  return ({ root, runId, rootAlive }) => {
    const seen = new Set<string>();
    const membersIn = (rows: readonly ProcessRow[]): readonly ProcessRow[] => {
      const tree: Tree = { root, runId, rootAlive: rootAlive(), seen };
      const members = membersOf(rows, tree).filter(({ pid }) => pid !== process.pid && pid !== 1);
      for (const row of members) seen.add(identityOf(row));
      return members;
    };
    return {
      observe: async () => {
        membersIn(await readRecentTable());
      },
      interrupt: () => signal(-root, "SIGINT"),
      sweep: () => sweep(async () => membersIn(await readProcessTable())),
    };
  };
}

function shareFor<T>(maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > maxAgeMs) last = { at: now, value: read() };
    return last.value;
  };
}

async function sweep(look: () => Promise<readonly ProcessRow[]>): Promise<void> {
  const deadline = performance.now() + SWEEP_LIMIT_MS;
  for (;;) {
    const members = await freeze(look);
    if (members.length === 0) return;
    if (performance.now() > deadline) throw unstoppable(members);
    for (const { pid } of members) signal(pid, "SIGKILL");
    await delay(ROUND_PAUSE_MS);
  }
}

/** Stopped processes start no others, so looking again until no new one appears finds all. */
async function freeze(look: () => Promise<readonly ProcessRow[]>): Promise<readonly ProcessRow[]> {
  const frozen = new Set<string>();
  for (;;) {
    const members = await look();
    const running = members.filter((row) => !frozen.has(identityOf(row)));
    if (running.length === 0) return members;
    for (const row of running) {
      signal(row.pid, "SIGSTOP");
      frozen.add(identityOf(row));
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It ended first, or it is of another user now; the next look tells.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function unstoppable(members: readonly ProcessRow[]): AppError {
  const pids = members.map(({ pid }) => pid).join(", ");
  return new AppError("process-failed", `cannot end processes ${pids}`);
}

import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../shared/app-error.ts";
import { identityOf, membersOf, type Tree } from "./members.ts";
import { readProcStat, HAS_PROC, readProcessTable } from "./process-table.ts";
import type { ProcessRow } from "./process-table.ts";

/** Follows the processes of one command while it runs, and ends them when it is over. */
export interface ProcessTree {
  isRootAlive(): Promise<boolean>;
  /**
   * Remembers which processes belong to the command now, so that one that later cuts every tie is still known. It returns how many
   * they are.
   */
  observe(): Promise<number>;
  cpuTicks(): Promise<number>;
  /** Asks the command to end by itself. */
  interrupt(): Promise<void>;
  /** Ends all processes and settles when none is left. The root goes last, so that its number stays taken until then. */
  sweep(): Promise<void>;
}

export type FollowProcesses = (command: Pick<Tree, "root" | "runId">) => ProcessTree;

// A killed process is gone in milliseconds. If it takes longer, it hangs in the kernel, and a person should know.
const SWEEP_LIMIT_MS = 15_000;
const ROUND_PAUSE_MS = 10;
// We look twice, because a process that is just starting another program has no readable environment for a moment.
const LOOKS_TO_BE_SURE = 2;
// The root gets this time, because it only has to write down how the command ended.
const ROOT_GRACE_MS = 500;
// The table has every process of the host, so all commands share one reading a second.
const OBSERVED_AGE_MS = 900;

/** `endElsewhere` ends what has the marker but is no process that we can find. */
export function createProcessFollower(
  endElsewhere: (marker: string) => Promise<void> = () => Promise.resolve(),
): FollowProcesses {
  const readTable = shareNext(readProcessTable);
  const readRecentTable = shareFor(OBSERVED_AGE_MS, readTable);
  return ({ root, runId }) => {
    let seen: ReadonlySet<string> = new Set();
    const membersIn = (rows: readonly ProcessRow[]): readonly ProcessRow[] => {
      const members = membersOf(rows, { root, runId, seen }).filter(
        ({ pid }) => pid !== process.pid && pid !== 1,
      );
      seen = new Set(members.map(identityOf));
      return members;
    };
    const isRoot = (row: ProcessRow): boolean =>
      row.pid === root?.pid && row.started === root.started;
    const look = async (): Promise<readonly ProcessRow[]> => membersIn(await readTable());
    return {
      isRootAlive: async () => {
        if (root === undefined) return false;
        if (!HAS_PROC) return (await readRecentTable()).some(isRoot);
        return readProcStat(root.pid)?.started === root.started;
      },
      observe: async () => membersIn(await readRecentTable()).length,
      cpuTicks: async () => (await look()).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0),
      interrupt: async () => {
        for (const { pid } of politelyAsked(await look(), root?.pid)) signal(pid, "SIGINT");
      },
      sweep: async () => {
        await sweep(look, isRoot);
        await endElsewhere(runId);
      },
    };
  };
}

/** These programs only hold a command. They would die of the signal and end the command before it can tidy up. */
const HOLDERS = ["bwrap", "unshare"];

/** Finds the processes of the command's own group. Where a holder is between, this is not the shim's group. */
function politelyAsked(
  members: readonly ProcessRow[],
  root: number | undefined,
): readonly ProcessRow[] {
  const holders = new Set(
    members.filter(({ name }) => HOLDERS.includes(name)).map(({ pid }) => pid),
  );
  const others = members.filter(({ pid }) => pid !== root && !holders.has(pid));
  const held = others.filter(({ parent }) => holders.has(parent)).map(({ group }) => group);
  const groups = new Set([root, ...held]);
  return others.filter(({ group }) => groups.has(group));
}

/** All who ask before a reading begins share it, so that agents that end together are swept together. */
function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined;
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined;
      return read();
    });
    return next;
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

type Look = () => Promise<readonly ProcessRow[]>;
type IsRoot = (row: ProcessRow) => boolean;

async function sweep(look: Look, isRoot: IsRoot): Promise<void> {
  const start = performance.now();
  for (let emptyLooks = 0; ;) {
    const members = await freeze(look, isRoot);
    emptyLooks = members.length === 0 ? emptyLooks + 1 : 0;
    if (emptyLooks === LOOKS_TO_BE_SURE) return;
    const spentMs = performance.now() - start;
    if (spentMs > SWEEP_LIMIT_MS) throw unstoppable(members);
    const others = members.filter((row) => !isRoot(row));
    const doomed = others.length === 0 && spentMs > ROOT_GRACE_MS ? members : others;
    for (const { pid } of doomed) signal(pid, "SIGKILL");
    await delay(ROUND_PAUSE_MS);
  }
}

/** Stops the processes. Stopped ones start no others, so all are found when no new one appears. */
async function freeze(look: Look, isRoot: IsRoot): Promise<readonly ProcessRow[]> {
  const frozen = new Set<string>();
  for (;;) {
    const members = await look();
    const running = members.filter((row) => !isRoot(row) && !frozen.has(identityOf(row)));
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
    // The process ended first, or belongs to another user now. The next look tells.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function unstoppable(members: readonly ProcessRow[]): AppError {
  const pids = members.map(({ pid }) => pid).join(", ");
  return new AppError("process-failed", `cannot end processes ${pids}`);
}

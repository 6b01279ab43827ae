import { randomUUID } from "node:crypto";
import { mkdir, open, unlink, writeFile, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import type { CommandEnd, CommandRequest, Processes } from "../ports/processes.ts";
import { AppError } from "../shared/app-error.ts";
import { RUN_MARKER } from "./process-row.ts";
import { createProcessFollower, type FollowProcesses, type ProcessTree } from "./process-sweep.ts";
import { readTail } from "./process-tail.ts";
import { watchCommand } from "./process-watch.ts";

export interface ProcessOptions {
  /** How long a command may take to end by itself after it was interrupted. */
  readonly graceMs?: number;
}

export interface HostProcesses extends Processes {
  /** Ends what a run left behind that an earlier life of this program started. */
  reap(runId: string): Promise<void>;
}

const DEFAULT_GRACE_MS = 8000;
// No process, group or session has this number.
const NO_ROOT = -1;

/**
 * Commands are told apart by `WAVETRAIN_RUN_ID` in their environment: whatever bears the same value is ended with the command,
 * so two commands that run at the same time must not share one.
 */
export function createProcesses({
  graceMs = DEFAULT_GRACE_MS,
}: ProcessOptions = {}): HostProcesses {
  const follow = createProcessFollower();
  return {
    run: (request) => runCommand(request, { graceMs, follow }),
    stateOf: () => Promise.resolve("absent"),
    forget: () => Promise.resolve(),
    tail: readTail,
    reap: (runId) => follow({ root: NO_ROOT, runId, rootAlive: () => false }).sweep(),
  };
}

interface Supervision {
  readonly graceMs: number;
  readonly follow: FollowProcesses;
}

async function runCommand(request: CommandRequest, how: Supervision): Promise<CommandEnd> {
  if (request.signal.aborted) return { kind: "cancelled" };
  await mkdir(dirname(request.logPath), { recursive: true });
  const log = await open(request.logPath, "a", 0o600);
  try {
    const before = (await log.stat()).size;
    const written = async (): Promise<number> => (await log.stat()).size - before;
    const started = await startCommand(request, log, how.follow);
    const end = await supervise(request, started, { written, graceMs: how.graceMs });
    if ((await written()) <= request.limits.maxLogBytes) return end;
    await log.truncate(before + request.limits.maxLogBytes);
    return { kind: "output-limit" };
  } finally {
    await log.close();
  }
}

interface StartedCommand {
  readonly ended: Promise<CommandEnd>;
  readonly tree: ProcessTree;
}

async function supervise(
  request: CommandRequest,
  { ended, tree }: StartedCommand,
  { written, graceMs }: { readonly written: () => Promise<number>; readonly graceMs: number },
): Promise<CommandEnd> {
  const watch = watchCommand({ request, written, observe: () => tree.observe() });
  try {
    const end = await Promise.race([ended, watch.stop]);
    // Whoever floods the disk gets no time to go on.
    if (end.kind === "timed-out" || end.kind === "cancelled") {
      tree.interrupt();
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
    }
    return end;
  } finally {
    watch.end();
    await tree.sweep();
    await ended;
  }
}

/** Files instead of pipes: nothing that outlives the command can keep us waiting, and its output survives us. */
async function startCommand(
  request: CommandRequest,
  log: FileHandle,
  follow: FollowProcesses,
): Promise<StartedCommand> {
  const runId = request.env[RUN_MARKER] ?? randomUUID();
  const [program = "", ...args] = request.command;
  const stdin = await openStdin(request);
  const child = execa(program, args, {
    cwd: request.cwd,
    env: { ...request.env, [RUN_MARKER]: runId },
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stdin: inherited(stdin),
    stdout: inherited(log),
    stderr: inherited(log),
  });
  await stdin.close();
  if (child.pid === undefined) {
    const { originalMessage } = await child;
    throw new AppError("process-failed", `cannot start a command in ${request.cwd}`, {
      cause: new Error(originalMessage),
    });
  }
  let alive = true;
  const ended = child.then((result): CommandEnd => {
    alive = false;
    if (result.signal !== undefined) return { kind: "killed", signal: result.signal };
    return { kind: "exited", code: result.exitCode ?? -1 };
  });
  return { ended, tree: follow({ root: child.pid, runId, rootAlive: () => alive }) };
}

// execa takes any descriptor, but its types name only those up to 9.
function inherited(file: FileHandle): 3 {
  return file.fd as 3;
}

/** The file has no name any more when the command starts: what it was told is not left lying about. */
async function openStdin({ logPath, stdin }: CommandRequest): Promise<FileHandle> {
  const path = `${logPath}.${randomUUID()}`;
  await writeFile(path, stdin, { flag: "wx", mode: 0o600 });
  try {
    return await open(path, "r");
  } finally {
    await unlink(path);
  }
}

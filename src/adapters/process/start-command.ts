import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import type { CommandRequest } from "../../ports/processes.ts";
import { AppError } from "../../shared/app-error.ts";
import type { CommandRecord, RunFolder } from "./command-folder.ts";
import { RUN_MARKER, type Identity } from "./process-table.ts";
import { SHIM } from "./shim.ts";
import type { Alarm } from "./watch.ts";

const DEFAULT_MAX_FILE_BYTES = 4 * 1024 ** 3;
const BLOCK_BYTES = 512;
const CLAIM_LOOK_MS = 5;

/**
 * Starts a command with files instead of pipes: so nothing that outlives the command can keep us waiting, and its output survives
 * this process.
 */
export async function startCommand(
  request: CommandRequest,
  folder: RunFolder,
  alarm: Alarm,
): Promise<{ readonly record: CommandRecord; readonly root: Identity }> {
  const record = recordOf(request, await touchLog(request.logPath));
  await folder.create(request, record);
  const shim = startShim(request, { folder, marker: record.marker });
  if (shim.pid === undefined) {
    await folder.remove();
    const cause = new Error((await shim).originalMessage);
    throw new AppError("process-failed", `cannot start a command in ${request.cwd}`, { cause });
  }
  const gone = new AbortController();
  void shim.then(() => {
    gone.abort();
    alarm.ring();
  });
  return { record, root: await rootOf(folder, gone.signal) };
}

/** Returns the marker that the command's processes have in their environment. */
export function markerOf({ env, id }: CommandRequest): string {
  return env[RUN_MARKER] ?? id;
}

function recordOf(request: CommandRequest, logStart: number): CommandRecord {
  const { id, command, cwd, env, logPath } = request;
  return {
    id,
    cwd,
    logPath,
    logStart,
    marker: markerOf(request),
    command: [...command],
    env: Object.keys(env).sort(),
    startedAt: Date.now(),
  };
}

async function touchLog(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const log = await open(path, "a", 0o600);
  try {
    return (await log.stat()).size;
  } finally {
    await log.close();
  }
}

function startShim(
  { command, cwd, env, logPath, limits }: CommandRequest,
  { folder, marker }: { readonly folder: RunFolder; readonly marker: string },
) {
  const blocks = Math.ceil((limits.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES) / BLOCK_BYTES);
  const args = ["-c", SHIM, "wavetrain-shim", folder.path, logPath, String(blocks), ...command];
  return execa("/bin/sh", args, {
    cwd,
    env: { ...env, [RUN_MARKER]: marker },
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stdio: "ignore",
  });
}

/** Waits until the shim has written its pid, which it does before it starts the command. */
async function rootOf(folder: RunFolder, gone: AbortSignal): Promise<Identity> {
  for (;;) {
    const over = gone.aborted;
    const runner = await folder.runner();
    if (runner !== undefined) return runner;
    if (over) throw new AppError("process-failed", "cannot write down who runs a command");
    await delay(CLAIM_LOOK_MS);
  }
}

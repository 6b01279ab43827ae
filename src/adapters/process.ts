import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Aside } from "../ports/aside.ts";
import type { CommandEnd, CommandRequest, CommandState, Processes } from "../ports/processes.ts";
import { PASSED_OVER } from "./aside.ts";
import { Alarm } from "./process-alarm.ts";
import { listRunFolders, RunFolder, type CommandRecord } from "./process-folder.ts";
import { DiskPace, measureDisk } from "./process-disk.ts";
import type { Identity } from "./process-row.ts";
import { markerOf, startCommand } from "./process-start.ts";
import { supervise } from "./process-supervise.ts";
import { createProcessFollower, type FollowProcesses } from "./process-sweep.ts";
import { readTail } from "./process-tail.ts";

export interface ProcessOptions {
  /** Where commands are written down while anybody may ask for them. */
  readonly folder: string;
  /** How long a command may take to end by itself after it was interrupted. */
  readonly graceMs?: number;
  /** How far apart the processor time of a silent command is looked at. */
  readonly sampleMs?: number;
  /** Where things go that are in the way; without it they are passed over. */
  readonly aside?: Aside;
  /** Ends what a command left outside of this host's processes. */
  readonly endElsewhere?: ((marker: string) => Promise<void>) | undefined;
}

const DEFAULT_GRACE_MS = 8000;
const DEFAULT_SAMPLE_MS = 5000;

/**
 * Commands are told apart by `WAVETRAIN_RUN_ID` in their environment: whatever bears the same value is ended with the command,
 * so two commands that run at the same time must not share one.
 */
export function createProcesses(options: ProcessOptions): Processes {
  const { folder, graceMs = DEFAULT_GRACE_MS, sampleMs = DEFAULT_SAMPLE_MS } = options;
  const { aside = PASSED_OVER } = options;
  const leaving = new AbortController();
  const follow = createProcessFollower(options.endElsewhere);
  const diskPace = new DiskPace();
  const desk: Desk = { root: folder, graceMs, sampleMs, diskPace, follow, left: leaving.signal };
  return {
    run: async (request) => {
      const end = await runCommand(request, desk);
      // Told to stop by an earlier life of this program, which did not live to say why.
      return end.kind === "cancelled" && !request.signal.aborted ? { kind: "lost" } : end;
    },
    stateOf: (id) => stateOf(id, desk),
    list: () => listRunFolders(folder, aside),
    forget: async (prefix) => {
      const ids = await listRunFolders(folder, aside);
      const meant = ids.filter((id) => id === prefix || id.startsWith(`${prefix}/`));
      for (const id of meant) await aside.remove(new RunFolder(folder, id).path);
    },
    leave: () => leaving.abort(),
    tail: readTail,
    reap: (runId) => desk.follow({ root: undefined, runId }).sweep(),
  };
}

interface Desk {
  readonly root: string;
  readonly graceMs: number;
  readonly sampleMs: number;
  readonly diskPace: DiskPace;
  readonly follow: FollowProcesses;
  readonly left: AbortSignal;
}

async function runCommand(request: CommandRequest, desk: Desk): Promise<CommandEnd> {
  const folder = new RunFolder(desk.root, request.id);
  const ended = await folder.end();
  if (ended !== undefined) return ended;
  const alarm = new Alarm();
  const signals = [request.signal, desk.left];
  for (const signal of signals) signal.addEventListener("abort", alarm.ring);
  try {
    const known = await knownCommand(folder, request, desk);
    if (known === undefined) {
      if (request.signal.aborted) return { kind: "cancelled" };
      const full = await fullAlready(request);
      if (full !== undefined) return full;
    }
    const { record, root } = known ?? (await startCommand(request, folder, alarm));
    const tree = desk.follow({ root, runId: record.marker });
    const wasAlive = root !== undefined;
    return await supervise({ request, record, folder, tree, wasAlive, alarm, ...desk });
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", alarm.ring);
  }
}

async function fullAlready({ limits }: CommandRequest): Promise<CommandEnd | undefined> {
  const full = limits.disk?.areFresh === true ? await measureDisk(limits.disk) : undefined;
  return full?.kind === "disk-limit" ? { ...full, fresh: true } : undefined;
}

/** A command that was announced but that nobody runs never began: its folder goes, and it starts anew. */
async function knownCommand(
  folder: RunFolder,
  request: CommandRequest,
  desk: Desk,
): Promise<{ readonly record: CommandRecord; readonly root: Identity | undefined } | undefined> {
  const record = await folder.record();
  if (record !== undefined) {
    if ((await folder.runner()) === undefined) {
      await desk.follow({ root: undefined, runId: record.marker }).sweep();
    }
    const runner = await folder.runner();
    if (runner !== undefined) return { record, root: await livingRoot(runner, desk) };
  } else if (existsSync(folder.path)) {
    // Its record was spoilt: whoever works on it can be found, but not followed.
    await desk.follow({ root: undefined, runId: markerOf(request) }).sweep();
  }
  await folder.remove();
  return undefined;
}

/** One that ended while nobody watched: its number may be a stranger's group by now, so only the marker counts. */
async function livingRoot(
  runner: Identity & { readonly boot: string },
  { follow }: Desk,
): Promise<Identity | undefined> {
  if (runner.boot !== (await bootId())) return undefined;
  const alive = await follow({ root: runner, runId: "" }).isRootAlive();
  return alive ? runner : undefined;
}

async function stateOf(id: string, desk: Desk): Promise<CommandState> {
  const folder = new RunFolder(desk.root, id);
  const runner = await folder.runner();
  if (runner === undefined) return "absent";
  const alive = (await livingRoot(runner, desk)) !== undefined;
  const over = (await folder.end()) ?? (await folder.exit());
  if (over !== undefined) return over.kind === "lost" ? "lost" : "ended";
  return alive ? "running" : "lost";
}

/** Another one after each start of the machine; `unknown` where it has none, as the shim says too. */
async function bootId(): Promise<string> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "unknown");
  return text.trim();
}

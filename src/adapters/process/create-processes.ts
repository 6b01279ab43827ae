import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Aside } from "../../ports/host.ts";
import type { CommandEnd, CommandRequest, CommandState, Processes } from "../../ports/processes.ts";
import { PASSED_OVER } from "../host/aside.ts";
import { listRunFolders, RunFolder, type CommandRecord } from "./command-folder.ts";
import { readTail } from "./command-log.ts";
import { DiskPace, measureDisk } from "./disk-use.ts";
import type { Identity } from "./process-table.ts";
import { markerOf, startCommand } from "./start-command.ts";
import { supervise } from "./supervise.ts";
import { createProcessFollower, type FollowProcesses } from "./sweep.ts";
import { Alarm } from "./watch.ts";

export interface ProcessOptions {
  /** Commands are written down in this folder as long as anybody may ask for them. */
  readonly folder: string;
  /** A command may take this long to end by itself after it was interrupted. */
  readonly graceMs?: number;
  /** The processor time of a silent command is looked at twice, this far apart. */
  readonly sampleMs?: number;
  /** Things that are in the way are put here. Without it they are passed over. */
  readonly aside?: Aside;
  /** Ends what a command left running outside of this host's processes. */
  readonly endElsewhere?: ((marker: string) => Promise<void>) | undefined;
}

const DEFAULT_GRACE_MS = 8000;
const DEFAULT_SAMPLE_MS = 5000;

/**
 * Commands are told apart by `WAVETRAIN_RUN_ID` in their environment. Every process with the same value is ended with the command,
 * so two commands that run at the same time must not share one.
 */
export function createProcesses(options: ProcessOptions): Processes {
  const { folder, graceMs = DEFAULT_GRACE_MS, sampleMs = DEFAULT_SAMPLE_MS } = options;
  const { aside = PASSED_OVER } = options;
  const leaving = new AbortController();
  const follow = createProcessFollower(options.endElsewhere);
  const diskPace = new DiskPace();
  const settings: ProcessSettings = {
    root: folder,
    graceMs,
    sampleMs,
    diskPace,
    follow,
    left: leaving.signal,
  };
  return {
    run: async (request) => {
      const end = await runCommand(request, settings);
      // An earlier process of this program told the command to stop, and ended before it could say why.
      return end.kind === "cancelled" && !request.signal.aborted ? { kind: "lost" } : end;
    },
    stateOf: (id) => stateOf(id, settings),
    list: () => listRunFolders(folder, aside),
    forget: async (prefix) => {
      const ids = await listRunFolders(folder, aside);
      const meant = ids.filter((id) => id === prefix || id.startsWith(`${prefix}/`));
      for (const id of meant) await aside.remove(new RunFolder(folder, id).path);
    },
    leave: () => leaving.abort(),
    tail: readTail,
    reap: (runId) => settings.follow({ root: undefined, runId }).sweep(),
  };
}

interface ProcessSettings {
  readonly root: string;
  readonly graceMs: number;
  readonly sampleMs: number;
  readonly diskPace: DiskPace;
  readonly follow: FollowProcesses;
  readonly left: AbortSignal;
}

async function runCommand(request: CommandRequest, settings: ProcessSettings): Promise<CommandEnd> {
  const folder = new RunFolder(settings.root, request.id);
  const ended = await folder.end();
  if (ended !== undefined) return ended;
  const alarm = new Alarm();
  const signals = [request.signal, settings.left];
  for (const signal of signals) signal.addEventListener("abort", alarm.ring);
  try {
    const known = await knownCommand(folder, request, settings);
    if (known === undefined) {
      if (request.signal.aborted) return { kind: "cancelled" };
      const full = await fullAlready(request);
      if (full !== undefined) return full;
    }
    const { record, root } = known ?? (await startCommand(request, folder, alarm));
    const tree = settings.follow({ root, runId: record.marker });
    const wasAlive = root !== undefined;
    return await supervise({ request, record, folder, tree, wasAlive, alarm, ...settings });
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", alarm.ring);
  }
}

async function fullAlready({ limits }: CommandRequest): Promise<CommandEnd | undefined> {
  const full = limits.disk?.areFresh === true ? await measureDisk(limits.disk) : undefined;
  return full?.kind === "disk-limit" ? { ...full, fresh: true } : undefined;
}

/**
 * Finds a command that was started before. If it was written down but nobody runs it, it never began: its folder is removed, and
 * it starts anew.
 */
async function knownCommand(
  folder: RunFolder,
  request: CommandRequest,
  settings: ProcessSettings,
): Promise<{ readonly record: CommandRecord; readonly root: Identity | undefined } | undefined> {
  const record = await folder.record();
  if (record !== undefined) {
    if ((await folder.runner()) === undefined) {
      await settings.follow({ root: undefined, runId: record.marker }).sweep();
    }
    const runner = await folder.runner();
    if (runner !== undefined) return { record, root: await livingRoot(runner, settings) };
  } else if (existsSync(folder.path)) {
    // The record is damaged: the command's processes can be found by the marker, but not followed.
    await settings.follow({ root: undefined, runId: markerOf(request) }).sweep();
  }
  await folder.remove();
  return undefined;
}

/**
 * Returns the runner if it is still alive. If it ended while nobody watched, another group may have its number by now, so only the
 * marker counts.
 */
async function livingRoot(
  runner: Identity & { readonly boot: string },
  { follow }: ProcessSettings,
): Promise<Identity | undefined> {
  if (runner.boot !== (await bootId())) return undefined;
  const alive = await follow({ root: runner, runId: "" }).isRootAlive();
  return alive ? runner : undefined;
}

async function stateOf(id: string, settings: ProcessSettings): Promise<CommandState> {
  const folder = new RunFolder(settings.root, id);
  const runner = await folder.runner();
  if (runner === undefined) return "absent";
  const alive = (await livingRoot(runner, settings)) !== undefined;
  const over = (await folder.end()) ?? (await folder.exit());
  if (over !== undefined) return over.kind === "lost" ? "lost" : "ended";
  return alive ? "running" : "lost";
}

/** The id is another one after each start of the machine. It is `unknown` where the system has none, as in the shim. */
async function bootId(): Promise<string> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "unknown");
  return text.trim();
}

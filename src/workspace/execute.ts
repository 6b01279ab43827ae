import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { withHosts } from "../domain/network/network.ts";
import type { Network } from "../domain/network/network.ts";
import type { Workspace } from "../ports/git.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { childEnv } from "./child-env.ts";
import { proxyVariables } from "./proxy-variables.ts";

/** A runaway log must not fill the host's disk. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

export interface Execution {
  /** What the command is for; with the id it names the command for good. */
  readonly step: "setup" | "agent" | "verify" | "score";
  /** A text is run by `sh -c`. */
  readonly command: string | readonly string[];
  readonly timeoutMs: number;
  /** How long it may go without progress; no limit when left out. */
  readonly idleMs?: number;
  readonly isProgress?: (line: string) => boolean;
  /** Names of the server's variables that the command may see. */
  readonly env?: readonly string[];
  /** Further variables. */
  readonly set?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Hosts that it has to reach, besides those that are named for its network. */
  readonly hosts?: readonly string[];
}

export type Execute = (execution: Execution) => Promise<CommandEnd>;

/** Where commands of a run find themselves. */
export interface Room {
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** What the app lays out for the runner to read; it cannot write here. */
  readonly desk: string;
  readonly sandboxed: boolean;
  /** HOME and temporary folder were made for this: nothing of an earlier attempt is in them. */
  readonly fresh: boolean;
  /** Whether the runner is at work in it already, or was, since before a restart. */
  readonly taken: boolean;
}

export interface ExecuteOptions {
  readonly workspace: Workspace;
  /** Names the log, the temporary folder and, in the environment, every process that the command starts. */
  readonly id: string;
  /** Names the HOME. It is left when the work ends. */
  readonly home: string;
  /** What the task is, for whoever works on it. `setup` does not see them: what it makes is for other tasks too. */
  readonly variables: Readonly<Record<string, string>>;
  /** What the commands may reach, but for setup, which has a network of its own. */
  readonly network: Network;
  readonly signal: AbortSignal;
}

/** Gives `work` a way to run commands in a workspace: sandbox, private HOME, allow-listed environment, ports, one log. */
export async function withExecute<T>(
  options: ExecuteOptions,
  deps: Deps,
  work: (execute: Execute, room: Room) => Promise<T>,
): Promise<T> {
  const { id } = options;
  const room = await openRoom(options, deps);
  const ports = portVariable(id, deps);
  let areFresh = true;
  try {
    const execute: Execute = (execution) => {
      const inRoom = { ...options, room, ports, areFresh };
      areFresh = false;
      return executeIn(inRoom, deps, execution);
    };
    return await work(execute, room);
  } finally {
    deps.ports.release(id);
    await deps.files.remove(room.desk);
    await deps.host.removeTmp(id);
  }
}

async function openRoom({ workspace, id, home }: ExecuteOptions, deps: Deps): Promise<Room> {
  const folders = await deps.host.makePrivateFolders({ home, tmp: id });
  return {
    ...folders,
    workspace: workspace.path,
    sandboxed: deps.sandbox.level !== "none",
    taken: (await deps.processes.stateOf(`${id}/agent`)) !== "absent",
  };
}

function portVariable(id: string, { ports, log }: Deps): Readonly<Record<string, string>> {
  const base = ports.take(id);
  if (base !== undefined) return { WAVETRAIN_PORT_BASE: String(base) };
  log.warn({ run: id }, "no free range of ports");
  return {};
}

interface InRoom extends ExecuteOptions {
  readonly room: Room;
  readonly ports: Readonly<Record<string, string>>;
  /** Whether no command has run in it yet. */
  readonly areFresh: boolean;
}

function executeIn(inRoom: InRoom, deps: Deps, execution: Execution): Promise<CommandEnd> {
  const { workspace, id, signal, room, network, areFresh } = inRoom;
  const { step, command, timeoutMs, idleMs, isProgress, stdin = "" } = execution;
  const marker = deps.host.markerOf(id);
  const base = step === "setup" ? deps.operator.network.setup : network;
  const reach = withHosts(base, execution.hosts ?? []);
  const env = environmentOf({ ...inRoom, execution, reach }, deps.host);
  const argv = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const behind = deps.git.pathsBehind(workspace);
  const readable = [join(room.workspace, ".git"), ...behind, room.desk];
  const folders = [room.workspace, room.home, room.tmp, ...behind.slice(0, 1)];
  return deps.processes.run({
    id: `${id}/${step}`,
    command: deps.sandbox.wrap(argv, {
      ...room,
      ...{ readable, marker, variables: env, network: reach },
      gate: join(room.desk, "gate"),
    }),
    ...{ cwd: workspace.path, env, stdin, signal },
    logPath: deps.host.logPath(id),
    limits: {
      ...{ wallMs: timeoutMs, maxLogBytes: MAX_LOG_BYTES },
      ...(idleMs === undefined ? {} : { idleMs }),
      disk: { folders, maxBytes: deps.operator.maxRunDisk, areFresh },
    },
    ...(isProgress === undefined ? {} : { isProgress }),
  });
}

interface Surroundings extends InRoom {
  readonly execution: Execution;
  readonly reach: Network;
}

function environmentOf(
  { id, room, variables, ports, execution, reach }: Surroundings,
  host: Deps["host"],
): Readonly<Record<string, string>> {
  const ofTask = execution.step === "setup" ? {} : variables;
  return childEnv({
    server: host.environment,
    allowed: execution.env ?? [],
    home: room.home,
    tmp: room.tmp,
    run: host.markerOf(id),
    extra: { ...execution.set, ...ofTask, ...ports, ...proxyVariables(reach) },
  });
}

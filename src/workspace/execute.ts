import { join } from "node:path";
import { withHosts } from "../domain/network/network.ts";
import type { Network } from "../domain/network/network.ts";
import type { Deps } from "../ports/deps.ts";
import type { Workspace } from "../ports/git.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { childEnv, proxyVariables } from "./child-env.ts";

/** Names what a command in a workspace touches of the world. */
type WorkspaceDeps = Pick<
  Deps,
  "files" | "git" | "host" | "log" | "operator" | "ports" | "processes" | "sandbox"
>;

/** A runaway log must not fill the host's disk. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** Outcomes and reports show this much of what a command printed last. */
const TAIL_BYTES = 4000;

export interface Execution {
  /** It says what the command is for; with the id it names the command for good. */
  readonly step: "setup" | "agent" | "agent-anew" | "verify" | "score";
  /** A text is run by `sh -c`. */
  readonly command: string | readonly string[];
  readonly timeoutMs: number;
  /** It may go so long without progress; there is no limit when this is left out. */
  readonly idleMs?: number;
  readonly isProgress?: (line: string) => boolean;
  /** The command may see the server's variables with these names. */
  readonly env?: readonly string[];
  /** The command gets these further variables. */
  readonly set?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** It has to reach these hosts, besides those that are named for its network. */
  readonly hosts?: readonly string[];
}

export type Execute = (execution: Execution) => Promise<CommandEnd>;

/** Commands of a run find themselves in these folders. */
export interface RunFolders {
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** The app lays out files here for the runner to read; it cannot write here. */
  readonly inputDir: string;
  readonly sandboxed: boolean;
  /** HOME and temporary folder were made for this: nothing of an earlier attempt is in them. */
  readonly fresh: boolean;
  /** It tells whether the runner is at work in it already, or was, since before a restart. */
  readonly taken: boolean;
}

export interface ExecuteOptions {
  readonly workspace: Workspace;
  /** It names the log, the temporary folder and, in the environment, every process that the command starts. */
  readonly id: string;
  /** It names the HOME, which is left when the work ends. */
  readonly home: string;
  /** These variables describe the task to its runner. `setup` does not see them: its results are for other tasks too. */
  readonly variables: Readonly<Record<string, string>>;
  /** The commands may reach this, but for setup, which has a network of its own. */
  readonly network: Network;
  readonly signal: AbortSignal;
}

/** Gives `work` a way to run commands in a workspace: sandbox, private HOME, allow-listed environment, ports, one log. */
export async function withExecute<T>(
  options: ExecuteOptions,
  deps: WorkspaceDeps,
  work: (execute: Execute, room: RunFolders) => Promise<T>,
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
    await deps.files.remove(room.inputDir);
    await deps.host.removeTmp(id);
  }
}

/** Reads what the commands with this id printed last. */
export function readTail(
  id: string,
  { host, processes }: Pick<Deps, "host" | "processes">,
): Promise<string> {
  return processes.tail(host.logPath(id), TAIL_BYTES);
}

async function openRoom(
  { workspace, id, home }: ExecuteOptions,
  deps: Pick<Deps, "host" | "processes" | "sandbox">,
): Promise<RunFolders> {
  const folders = await deps.host.makePrivateFolders({ home, tmp: id });
  return {
    ...folders,
    workspace: workspace.path,
    sandboxed: deps.sandbox.level !== "none",
    taken: (await deps.processes.stateOf(`${id}/agent`)) !== "absent",
  };
}

function portVariable(
  id: string,
  { ports, log }: Pick<Deps, "log" | "ports">,
): Readonly<Record<string, string>> {
  const base = ports.take(id);
  if (base !== undefined) return { WAVETRAIN_PORT_BASE: String(base) };
  log.warn({ run: id }, "no free range of ports");
  return {};
}

interface InRoom extends ExecuteOptions {
  readonly room: RunFolders;
  readonly ports: Readonly<Record<string, string>>;
  /** It tells whether no command has run in the room yet. */
  readonly areFresh: boolean;
}

function executeIn(
  inRoom: InRoom,
  deps: Pick<Deps, "git" | "host" | "operator" | "processes" | "sandbox">,
  execution: Execution,
): Promise<CommandEnd> {
  const { workspace, id, signal, room, network, areFresh } = inRoom;
  const { step, command, timeoutMs, idleMs, isProgress, stdin = "" } = execution;
  const marker = deps.host.markerOf(id);
  const base = step === "setup" ? deps.operator.network.setup : network;
  const reach = withHosts(base, execution.hosts ?? []);
  const env = environmentOf({ ...inRoom, execution, reach }, deps);
  const argv = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const behind = deps.git.gitPaths(workspace);
  const readable = [join(room.workspace, ".git"), ...behind, room.inputDir];
  const folders = [room.workspace, room.home, room.tmp, ...behind.slice(0, 1)];
  return deps.processes.run({
    id: `${id}/${step}`,
    command: deps.sandbox.wrap(argv, {
      ...room,
      readable,
      marker,
      variables: env,
      network: reach,
      gate: join(room.inputDir, "gate"),
    }),
    cwd: workspace.path,
    env,
    stdin,
    signal,
    logPath: deps.host.logPath(id),
    limits: {
      wallMs: timeoutMs,
      maxLogBytes: MAX_LOG_BYTES,
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
  { host, operator }: Pick<Deps, "host" | "operator">,
): Readonly<Record<string, string>> {
  const ofTask = execution.step === "setup" ? {} : variables;
  return childEnv({
    server: host.environment,
    allowed: execution.env ?? [],
    home: operator.home === "user" ? undefined : room.home,
    tmp: room.tmp,
    run: host.markerOf(id),
    extra: { ...execution.set, ...ofTask, ...ports, ...proxyVariables(reach) },
  });
}

import { join } from "node:path";
import type { Deps } from "../deps.ts";
import type { Workspace } from "../ports/git.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { childEnv } from "./child-env.ts";

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
  /** Whether the runner is at work in it already, or was, since before a restart. */
  readonly taken: boolean;
}

export interface ExecuteOptions {
  readonly workspace: Workspace;
  /** Names the log, the temporary folder and, in the environment, every process that the command starts. */
  readonly id: string;
  /** Names the HOME. It is left when the work ends. */
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
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
  const variables = { ...options.variables, ...portVariable(id, deps) };
  try {
    const inRoom = { ...options, variables, room };
    return await work((execution) => executeIn(inRoom, deps, execution), room);
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
    desk: `${folders.tmp}.desk`,
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

function executeIn(
  { workspace, id, variables, signal, room }: ExecuteOptions & { readonly room: Room },
  deps: Deps,
  execution: Execution,
): Promise<CommandEnd> {
  const { step, command, timeoutMs, idleMs, isProgress, stdin = "" } = execution;
  const marker = deps.host.markerOf(id);
  const env = childEnv({
    server: deps.host.environment,
    allowed: execution.env ?? [],
    ...{ home: room.home, tmp: room.tmp },
    run: marker,
    extra: { ...execution.set, ...variables },
  });
  const argv = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const readable = [join(room.workspace, ".git"), ...deps.git.pathsBehind(workspace), room.desk];
  return deps.processes.run({
    id: `${id}/${step}`,
    command: deps.sandbox.wrap(argv, { ...room, readable, marker, variables: Object.keys(env) }),
    ...{ cwd: workspace.path, env, stdin, signal },
    logPath: deps.host.logPath(id),
    limits: {
      ...{ wallMs: timeoutMs, maxLogBytes: MAX_LOG_BYTES },
      ...(idleMs === undefined ? {} : { idleMs }),
    },
    ...(isProgress === undefined ? {} : { isProgress }),
  });
}

import type { Deps } from "../deps.ts";
import type { Workspace } from "../ports/git.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { childEnv } from "./child-env.ts";

/** A runaway log must not fill the host's disk. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

export interface Execution {
  readonly command: string;
  readonly timeoutMs: number;
  /** Names of the server's variables that the command may see. */
  readonly env?: readonly string[];
  readonly stdin?: string;
}

export type Execute = (execution: Execution) => Promise<CommandEnd>;

export interface ExecuteOptions {
  readonly workspace: Workspace;
  /** Names the log, the private folders and, in the environment, every process that the command starts. */
  readonly id: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Gives `work` a way to run commands in a workspace: private HOME, allow-listed environment, one log. */
export async function withExecute<T>(
  { workspace, id, variables, signal }: ExecuteOptions,
  deps: Deps,
  work: (execute: Execute) => Promise<T>,
): Promise<T> {
  const folders = await deps.host.makePrivateFolders(id);
  try {
    return await work(({ command, timeoutMs, env: allowed = [], stdin = "" }) =>
      deps.processes.run({
        command,
        cwd: workspace.path,
        env: childEnv({
          server: deps.host.environment,
          allowed,
          ...folders,
          run: deps.host.markerOf(id),
          extra: variables,
        }),
        stdin,
        logPath: deps.host.logPath(id),
        timeoutMs,
        maxLogBytes: MAX_LOG_BYTES,
        signal,
      }),
    );
  } finally {
    await deps.host.removePrivateFolders(id);
  }
}

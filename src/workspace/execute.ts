import type { Deps } from "../deps.ts";
import type { Workspace } from "../ports/git.ts";
import type { CommandEnd } from "../ports/processes.ts";
import { childEnv } from "./child-env.ts";

/** A runaway log must not fill the host's disk. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

export interface Execution {
  /** What the command is for; with the id it names the command for good. */
  readonly step: "setup" | "agent" | "verify";
  /** Run by `sh -c`. */
  readonly command: string;
  readonly timeoutMs: number;
  /** Names of the server's variables that the command may see. */
  readonly env?: readonly string[];
  readonly stdin?: string;
}

export type Execute = (execution: Execution) => Promise<CommandEnd>;

export interface ExecuteOptions {
  readonly workspace: Workspace;
  /** Names the log, the temporary folder and, in the environment, every process that the command starts. */
  readonly id: string;
  /** Names the HOME. It is left when the work ends. */
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Gives `work` a way to run commands in a workspace: private HOME, allow-listed environment, one log. */
export async function withExecute<T>(
  { workspace, id, home, variables, signal }: ExecuteOptions,
  deps: Deps,
  work: (execute: Execute) => Promise<T>,
): Promise<T> {
  const folders = await deps.host.makePrivateFolders({ home, tmp: id });
  try {
    return await work(({ step, command, timeoutMs, env: allowed = [], stdin = "" }) =>
      deps.processes.run({
        id: `${id}/${step}`,
        command: ["/bin/sh", "-c", command],
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
        limits: { wallMs: timeoutMs, maxLogBytes: MAX_LOG_BYTES },
        signal,
      }),
    );
  } finally {
    await deps.host.removeTmp(id);
  }
}

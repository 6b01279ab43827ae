import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export type ShellGit = (cwd: string, ...args: readonly string[]) => Promise<string>;

export const shellGit = createShellGit({ PATH: process.env["PATH"] ?? "" });

/** Plain git, as a person or another program would call it; settings of the machine's users play no part. */
export function createShellGit(host: { readonly PATH: string }): ShellGit {
  return async (cwd, ...args) => {
    const { stdout } = await run("git", args, {
      cwd,
      maxBuffer: 1 << 28,
      env: {
        ...host,
        HOME: cwd,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "bench",
        GIT_AUTHOR_EMAIL: "bench@example.test",
        GIT_COMMITTER_NAME: "bench",
        GIT_COMMITTER_EMAIL: "bench@example.test",
      },
    });
    return stdout.trim();
  };
}

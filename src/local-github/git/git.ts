import { execa } from "execa";

export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

// What the person's own git is configured to do must not decide what a merge here looks like.
export const OWN_SETTINGS_ONLY = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_CONFIG_COUNT: undefined,
} as const;

/** Runs git in a repository and answers its output without the last line break; throws when git fails. */
export async function git(
  dir: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const answer = await tryGit(dir, args, options);
  if (answer.exitCode !== 0) {
    throw new Error(`git ${args.join(" ")} failed: ${answer.stderr || answer.stdout}`);
  }
  return answer.stdout;
}

export async function tryGit(
  dir: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  const result = await execa("git", ["-C", dir, ...args], {
    env: { ...OWN_SETTINGS_ONLY, ...options.env },
    reject: false,
    ...(options.input === undefined ? { stdin: "ignore" } : { input: options.input }),
  });
  if (result.exitCode === undefined) throw new Error(`git ${args.join(" ")} did not run`);
  return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
}

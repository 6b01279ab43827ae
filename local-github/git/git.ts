import { runApart } from "./run-apart.ts";
import type { GitOutput } from "./run-apart.ts";

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

// The person's own git settings must not decide how a merge here looks.
const OWN_SETTINGS_ONLY = {
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
  return textOf(await gitBytes(dir, args, options));
}

/** Runs git and answers its output byte for byte; throws when git fails. */
export async function gitBytes(
  dir: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runGit(dir, args, options);
  if (exitCode !== 0) throw failure(args, textOf(stderr) || textOf(stdout));
  return stdout;
}

export async function tryGit(
  dir: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitAnswer> {
  const { exitCode, stdout, stderr } = await runGit(dir, args, options);
  if (exitCode === null) throw new Error(`git ${args.join(" ")} did not run to its end`);
  return { exitCode, stdout: textOf(stdout), stderr: textOf(stderr) };
}

/** Runs git and answers however it ends. */
export function runGit(
  dir: string,
  args: readonly string[],
  options: GitOptions,
): Promise<GitOutput> {
  const env = { ...OWN_SETTINGS_ONLY, ...options.env };
  return runApart({ args, cwd: dir, env, input: options.input ?? "" });
}

function textOf(output: Buffer): string {
  return output.toString("utf8").replace(/\r?\n$/, "");
}

const MOST_REMEMBERED = 2_000;
const remembered = new Map<string, Promise<GitAnswer>>();

/** Asks as `tryGit` does, for questions about commits by their ids: their answers never change, so they are remembered. */
export function lastingAnswer(dir: string, args: readonly string[]): Promise<GitAnswer> {
  const key = [dir, ...args].join("\0");
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const asked = tryGit(dir, args);
  remembered.set(key, asked);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  const forget = (): boolean => remembered.delete(key);
  // A commit that is missing now may be pushed later, so that answer is forgotten.
  asked.then(({ exitCode }) => exitCode > 1 && forget(), forget);
  return asked;
}

/** Asks the same questions as `lastingAnswer`; throws when git fails, as `git` does. */
export async function lastingOutput(dir: string, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await lastingAnswer(dir, args);
  if (exitCode !== 0) throw failure(args, stderr || stdout);
  return stdout;
}

function failure(args: readonly string[], words: string): Error {
  return new Error(`git ${args.join(" ")} failed: ${words}`);
}

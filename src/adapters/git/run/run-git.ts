import { GitError, simpleGit } from "simple-git";
import type { SimpleGit } from "simple-git";
import { AppError } from "../../../shared/app-error.ts";

/** Says where and with what git runs. */
export interface GitPlace {
  readonly cwd: string;
  /** This is the whole environment of git: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  /** No error message repeats these. */
  readonly secrets?: readonly string[];
  /** True when the same call may succeed later, because it depends on a network. */
  readonly retryable?: boolean;
}

export interface GitCall extends GitPlace {
  readonly args: readonly string[];
}

/** These are the calls of simple-git whose typed answers we use. */
export type TypedGit = Pick<SimpleGit, "countObjects" | "diff" | "init" | "listRemote">;

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// When git is silent for this long, the other side is gone: even the clone of a large repository reports progress meanwhile.
const SILENCE_LIMIT_MS = 10 * 60_000;

/**
 * Runs git and reports how it ended; throws only when git itself could not run to its end. Most commands are run by `raw` on purpose:
 * they are plumbing that simple-git has no calls for, or their exit code is an answer, or a typed call would be unsafe. Its `log`
 * separates fields by letters that a commit message may contain, its `fetch` takes quadratic time for a long line from the remote,
 * and its `push` drops the reason of a refusal.
 */
export async function runGit(call: GitCall): Promise<GitResult> {
  let ended: GitResult | undefined;
  const git = openGit(call, (result) => {
    ended = result;
    return undefined;
  });
  try {
    await git.raw([...call.args]);
  } catch (cause) {
    throw gitFailed(call, wordsOf(cause));
  }
  if (ended === undefined) throw new Error("git ended without a result");
  return ended;
}

/** Runs git by a typed call, and throws unless it succeeded. */
export async function callGit<T>(
  place: GitPlace,
  call: (git: TypedGit) => PromiseLike<T>,
): Promise<T> {
  const git = openGit(place, ({ code, stderr }) => (code === 0 ? undefined : Buffer.from(stderr)));
  try {
    return await call(git);
  } catch (cause) {
    const args = cause instanceof GitError ? (cause.task?.commands ?? []) : [];
    throw gitFailed({ ...place, args }, wordsOf(cause));
  }
}

/** Opens git for one command. The judge makes an error of a result, or lets it pass. */
function openGit(place: GitPlace, judge: (result: GitResult) => Buffer | undefined): SimpleGit {
  const git = simpleGit({
    baseDir: place.cwd,
    completion: { onClose: true, onExit: false },
    timeout: { block: SILENCE_LIMIT_MS },
    allowEnvironment: Object.keys(place.env),
    unsafe: {
      allowUnsafeConfigPaths: true, // We set GIT_CONFIG_GLOBAL=/dev/null, and GIT_DIR and GIT_WORK_TREE to paths that we know.
      allowUnsafeConfigEnvCount: true, // We pass settings and the token this way instead of as arguments.
      allowUnsafeHooksPath: true, // We set core.hooksPath=/dev/null.
      allowUnsafeFsMonitor: true, // We set core.fsmonitor=false.
      allowUnsafeCredentialHelper: true, // We set credential.helper to nothing.
      allowUnsafeFilter: true, // We set filter.lfs.process to git-lfs, which reads nothing that a runner wrote.
      allowUnsafeTemplateDir: true, // We call init with an empty --template.
    },
    ...(place.input === undefined ? {} : { input: () => place.input }),
    errors: (error, { exitCode, stdOut, stdErr }) => {
      const code = exitCode as number | null;
      if (code === null || code < 0) return error ?? new Error("git was stopped by a signal");
      return judge({ code, stdout: textOf(stdOut), stderr: textOf(stdErr) });
    },
  });
  // simple-git waits another 50 ms when a command printed nothing; an empty chunk at the end says that there is nothing to wait for.
  git.outputHandler((_command, stdout) => {
    stdout.once("end", () => stdout.emit("data", Buffer.alloc(0)));
  });
  return git.env(place.env);
}

/** Runs git like `runGit`, and throws unless it succeeded. */
export async function expectGit(call: GitCall): Promise<string> {
  const result = await runGit(call);
  if (result.code !== 0) throw gitFailed(call, result.stderr);
  return result.stdout;
}

export function gitFailed(
  call: Pick<GitCall, "args" | "secrets" | "retryable">,
  detail: string,
): AppError {
  const redact = (text: string): string =>
    (call.secrets ?? []).reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
  return new AppError("git-failed", `git ${call.args[0] ?? ""} failed`, {
    cause: new Error(redact(detail.trim() || "no output")),
    retryable: call.retryable ?? false,
  });
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

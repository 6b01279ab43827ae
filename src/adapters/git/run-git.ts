import { simpleGit } from "simple-git";
import { AppError } from "../../shared/app-error.ts";

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of git: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  /** Never to be repeated in an error message. */
  readonly secrets?: readonly string[];
  /** Whether the same call may succeed later: it depends on a network. */
  readonly retryable?: boolean;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Silence this long means that the other side is gone: a clone of a large repository reports progress meanwhile.
const SILENCE_LIMIT_MS = 10 * 60_000;

/** Runs git and reports how it ended; throws only when git itself could not run to its end. */
export async function runGit(call: GitCall): Promise<GitResult> {
  let ended: GitResult | undefined;
  const git = simpleGit({
    baseDir: call.cwd,
    completion: { onClose: true, onExit: false },
    timeout: { block: SILENCE_LIMIT_MS },
    allowEnvironment: Object.keys(call.env),
    unsafe: {
      allowUnsafeConfigPaths: true, // GIT_CONFIG_GLOBAL=/dev/null, GIT_DIR and GIT_WORK_TREE that we know
      allowUnsafeConfigEnvCount: true, // settings and the token, instead of arguments
      allowUnsafeHooksPath: true, // core.hooksPath=/dev/null
      allowUnsafeFsMonitor: true, // core.fsmonitor=false
      allowUnsafeCredentialHelper: true, // credential.helper= (none)
      allowUnsafeTemplateDir: true, // init --template= (none)
    },
    ...(call.input === undefined ? {} : { input: () => call.input }),
    errors: (error, { exitCode, stdOut, stdErr }) => {
      const code = exitCode as number | null;
      if (code === null || code < 0) return error ?? new Error("git was stopped by a signal");
      ended = { code, stdout: textOf(stdOut), stderr: textOf(stdErr) };
      return undefined;
    },
  });
  // simple-git waits another 50 ms when a command printed nothing; an empty chunk at the end says that there is nothing to wait for.
  git.outputHandler((_command, stdout) => {
    stdout.once("end", () => stdout.emit("data", Buffer.alloc(0)));
  });
  try {
    await git.env(call.env).raw([...call.args]);
  } catch (cause) {
    throw gitFailed(call, cause instanceof Error ? cause.message : String(cause));
  }
  if (ended === undefined) throw new Error("git ended without a result");
  return ended;
}

/** As `runGit`, for commands whose only expected end is success. */
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

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

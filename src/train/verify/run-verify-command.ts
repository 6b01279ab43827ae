import type { Sha } from "../../domain/ids.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { CommandEnd } from "../../ports/processes.ts";
import { AppError } from "../../shared/app-error.ts";
import { runInCleanRoom } from "../../workspace/clean-room.ts";
import type { TrainDeps } from "../queue/train-deps.ts";

/** Says how the verify command, or the wait for checks, ended. */
export interface VerificationResult {
  readonly verdict: Verdict["verdict"];
  readonly tail: string;
  readonly logPath: string | undefined;
}

export interface VerificationWork {
  readonly context: RepoContext;
  readonly commit: Sha;
  readonly tree: Sha;
  readonly signal: AbortSignal;
}

/** Runs the verify command on exactly this commit, where no run ever was. */
export async function runVerifyCommand(
  { context, commit, tree, signal }: VerificationWork,
  deps: TrainDeps,
): Promise<VerificationResult> {
  const { repo, config } = context;
  const command = config.verify;
  if (command === undefined) return { verdict: "green", tail: "", logPath: undefined };
  const execution = { step: "verify", command, timeoutMs: config.timeouts.verify } as const;
  const name = `verify-${tree.slice(0, 16)}`;
  const { end, ...said } = await runInCleanRoom(
    { repo, commit, config, name, execution, signal },
    deps,
  );
  return { verdict: verdictOf(end), ...said };
}

/** An interrupted verification says nothing about the change, which is verified again. */
export function interrupted(): AppError {
  return new AppError("process-failed", "the verification was stopped", { retryable: true });
}

function verdictOf(end: CommandEnd): VerificationResult["verdict"] {
  if (end.kind === "cancelled" || end.kind === "lost") throw interrupted();
  if (end.kind === "timed-out") return "timed-out";
  return end.kind === "exited" && end.code === 0 ? "green" : "red";
}

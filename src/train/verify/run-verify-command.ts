import type { Sha } from "../../domain/ids.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { CommandEnd } from "../../ports/processes.ts";
import { AppError } from "../../shared/app-error.ts";
import { formatBytes } from "../../shared/format.ts";
import { copiesOfVerification } from "../../workspace/decide-copies.ts";
import { readTail, withExecute } from "../../workspace/execute.ts";
import { prepareWorkspace } from "../../workspace/prepare-workspace.ts";
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

/**
 * Runs setup and verify, as the default branch has them, in a workspace of their own at exactly this commit. No run ever had its hands
 * on it: it has new files, a new HOME, and either no copy of setup or one that was made before any agent could touch it.
 */
export async function runVerifyCommand(
  work: VerificationWork,
  deps: TrainDeps,
): Promise<VerificationResult> {
  const { context, commit, tree, signal } = work;
  const { repo, config } = context;
  const command = config.verify;
  if (command === undefined) return { verdict: "green", tail: "", logPath: undefined };
  // The name is new, so no folder is found under it, and no earlier command's end is taken for this one's.
  const id = `verify-${tree.slice(0, 16)}-${deps.host.nonce()}`;
  const workspace = await deps.git.openWorkspace({ repo, id, base: commit, fresh: true });
  try {
    const { network } = deps.operator;
    const options = { workspace, id, home: id, variables: {}, network: network.train, signal };
    const end = await withExecute(options, deps, async (execute) => {
      const timeoutMs = config.timeouts.verify;
      const unprepared = await prepareWorkspace(
        { workspace, config, copies: copiesOfVerification(deps.sandbox.level), signal },
        (setup) => execute({ step: "setup", command: setup, timeoutMs }),
        deps,
      );
      if (unprepared !== undefined) return { ...unprepared, isSetup: true };
      return { ...(await execute({ step: "verify", command, timeoutMs })), isSetup: false };
    });
    const tail = await readTail(id, deps);
    const setup = end.isSetup ? `\nsetup failed: ${config.setup ?? ""}` : "";
    const logPath = deps.host.logPath(id);
    return { verdict: verdictOf(end), tail: `${tail}${lastWordsOn(end)}${setup}`, logPath };
  } finally {
    await deps.processes.forget(id);
    await deps.host.removeHome(id);
    await deps.git.closeWorkspace(workspace);
  }
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

/** Adds what the command could not say itself. */
function lastWordsOn(end: CommandEnd): string {
  if (end.kind === "disk-limit")
    return `\nstopped: it took more than ${formatBytes(end.limitBytes)} of disk (maxRunDisk)`;
  return end.kind === "vanished" ? "\nkilled together with what watches over it" : "";
}

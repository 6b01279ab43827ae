import type { Deps, RepoContext } from "../deps.ts";
import type { Candidate, Entry, Evidence } from "../domain/entry.ts";
import type { Task } from "../domain/task.ts";
import { AppError } from "../shared/app-error.ts";
import { withExecute } from "../workspace/execute.ts";
import { prepareWorkspace } from "../workspace/prepare-workspace.ts";
import { decideAfterVerification } from "./decide-after-verification.ts";
import type { Verification } from "./decide-after-verification.ts";

const TAIL_BYTES = 4000;

export interface VerificationInProgress {
  readonly context: RepoContext;
  readonly entry: Entry;
  readonly task: Task;
  readonly signal: AbortSignal;
}

/** Builds the commit that would become the base branch, verifies exactly that tree, and writes down the verdict. */
export async function verifyEntry(progress: VerificationInProgress, deps: Deps): Promise<void> {
  const { entry, task, context } = progress;
  const log = { repo: context.repo, entry: entry.id, pr: entry.pull };
  const verification = await verify(progress, deps);
  const changes = decideAfterVerification({
    entry,
    task,
    verification,
    policy: {
      attempts: context.config.limits.attempts,
      backoffMs: deps.operator.retry.backoff,
      maxBackoffMs: deps.operator.retry.maxBackoff,
    },
    now: deps.clock.now(),
    jitter: deps.host.random(),
  });
  await deps.store.record(context.repo, changes);
  deps.log.info({ ...log, reason: verification.kind }, "entry verified");
}

async function verify(progress: VerificationInProgress, deps: Deps): Promise<Verification> {
  try {
    return await verifyCandidate(progress, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.log.warn({ entry: progress.entry.id, err: error }, "verification interrupted");
    return { kind: "interrupted", reason: error.message };
  }
}

async function verifyCandidate(
  progress: VerificationInProgress,
  deps: Deps,
): Promise<Verification> {
  const { entry, context, task } = progress;
  const { repo } = context;
  const base = await deps.git.fetchBranch(repo, context.base);
  const head = await deps.git.fetchBranch(repo, task.branch ?? "");
  if (head !== entry.head) return { kind: "head-moved" };
  const message = `Candidate for #${entry.pull}`;
  const built = await deps.git.buildCandidate({ repo, base, head, message });
  if (built.kind === "missing") return { kind: "interrupted", reason: built.reason };
  if (built.kind === "conflict") return { kind: "conflict", paths: built.paths };
  const evidence = await evidenceFor(built.candidate, progress, deps);
  return evidence === undefined
    ? { kind: "interrupted", reason: "the verification was stopped" }
    : { kind: evidence.verdict, evidence };
}

async function evidenceFor(
  candidate: Candidate,
  { context, entry, signal }: VerificationInProgress,
  deps: Deps,
): Promise<Evidence | undefined> {
  const { verify: command = "", timeouts } = context.config;
  const startedAt = deps.clock.now();
  const id = `verify-${entry.pull}-${candidate.tree.slice(0, 12)}`;
  const { repo } = context;
  const workspace = await deps.git.openWorkspace({ repo, id, base: candidate.commit });
  try {
    const verdict = await withExecute(
      { workspace, id, home: id, variables: {}, signal },
      deps,
      async (run) => {
        const timeoutMs = timeouts.verify;
        const unprepared = await prepareWorkspace(
          { workspace, config: context.config, mayKeep: false, signal },
          (setup) => run({ step: "setup", command: setup, timeoutMs }),
          deps,
        );
        if (unprepared === undefined && command === "") return "green";
        const end = unprepared ?? (await run({ step: "verify", command, timeoutMs }));
        if (end.kind === "cancelled" || end.kind === "lost") return undefined;
        return end.kind === "exited" && end.code === 0 ? "green" : "red";
      },
    );
    if (verdict === undefined) return undefined;
    const tail = await deps.processes.tail(deps.host.logPath(id), TAIL_BYTES);
    return { candidate, command, verdict, tail, startedAt, finishedAt: deps.clock.now() };
  } finally {
    await deps.processes.forget(id);
    await deps.host.removeHome(id);
    await deps.git.closeWorkspace(workspace);
  }
}

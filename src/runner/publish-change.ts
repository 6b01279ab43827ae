import type { Deps } from "../deps.ts";
import type { Change, Intent } from "../domain/change.ts";
import type { Sha } from "../domain/ids.ts";
import type { RunOutcome } from "../domain/run.ts";
import { renderPullRequest } from "../report/render-pull-request.ts";
import { AppError } from "../shared/app-error.ts";
import type { RunInProgress } from "./run-in-progress.ts";

type Succeeded = Extract<RunOutcome, { kind: "succeeded" }>;

/**
 * Pushes the commit and opens the pull request, where there is to be one; both steps find out for themselves whether they
 * already happened. The intent is settled either way: a run that fails here is run again, and publishes under its own.
 */
export async function publishChange(
  published: Published,
  progress: RunInProgress,
  deps: Deps,
): Promise<number | undefined> {
  const { context, proof } = progress;
  const { repo } = context;
  const intent = openIntent(progress, published.outcome.head, deps);
  // A resumed run may have said so before the app was killed.
  const { intents } = await deps.store.readRepo(repo);
  if (!intents.some(({ key }) => key === intent.key)) {
    await deps.store.record(repo, [{ kind: "intent-opened", intent }], proof);
  }
  try {
    const pull = await publish(published, progress, deps);
    const result = pull === undefined ? "pushed" : `#${pull}`;
    await deps.store.record(repo, [settled(intent, result, deps)], proof);
    return pull;
  } catch (error) {
    if (error instanceof AppError) {
      await deps.store.record(repo, [settled(intent, error.message, deps)], proof);
    }
    throw error;
  }
}

interface Published {
  readonly outcome: Succeeded;
  readonly base: Sha;
}

async function publish(
  { outcome, base }: Published,
  progress: RunInProgress,
  deps: Deps,
): Promise<number | undefined> {
  const { context, run, task } = progress;
  const { verify, land } = context.config;
  await pushCommit(outcome.head, progress, deps);
  if (land === "commit") return undefined;
  const text = renderPullRequest({
    ...{ task, runner: run.runner, attempt: run.attempt },
    ...{ files: outcome.files, outside: outcome.outside, notes: outcome.notes },
    origin: { task: task.id, run: run.id, base },
    verify: verify === undefined ? undefined : { command: verify, verdict: "green" },
  });
  const { repo, base: onto } = context;
  return deps.github.openPullRequest({ repo, branch: run.branch, base: onto, ...text });
}

async function pushCommit(commit: Sha, { context, run }: RunInProgress, deps: Deps): Promise<void> {
  const { repo } = context;
  const expected = await deps.git.remoteBranch(repo, run.branch);
  if (expected === commit) return;
  const pushed = await deps.git.pushBranch({ repo, branch: run.branch, commit, expected });
  if (pushed.kind === "rejected") {
    throw new AppError("git-failed", `cannot push ${run.branch}: ${pushed.reason}`);
  }
}

function openIntent({ context, run }: RunInProgress, head: Sha, deps: Deps): Intent {
  return {
    key: `publish:${run.id}`,
    repo: context.repo,
    kind: "open-pull-request",
    subject: run.task,
    detail: { branch: run.branch, head },
    openedAt: deps.clock.now(),
  };
}

function settled(intent: Intent, result: string, deps: Deps): Change {
  return { kind: "intent-settled", key: intent.key, result, at: deps.clock.now() };
}

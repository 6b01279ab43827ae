import type { Deps } from "../deps.ts";
import type { Change, Intent } from "../domain/change.ts";
import type { Sha } from "../domain/ids.ts";
import type { RunOutcome } from "../domain/run.ts";
import { renderPullRequest } from "../report/render-pull-request.ts";
import { AppError } from "../shared/app-error.ts";
import type { RunInProgress } from "./run-in-progress.ts";

type Succeeded = Extract<RunOutcome, { kind: "succeeded" }>;

/** Pushes the commit and opens the pull request; both steps find out for themselves whether they already happened. */
export async function publishChange(
  { outcome, base }: { readonly outcome: Succeeded; readonly base: Sha },
  progress: RunInProgress,
  deps: Deps,
): Promise<number> {
  const { context, run, task, proof } = progress;
  const { verify } = context.config;
  const intent = openIntent(progress, outcome.head, deps);
  // A resumed run may have said so before the app was killed.
  const { intents } = await deps.store.readRepo(context.repo);
  if (!intents.some(({ key }) => key === intent.key))
    await deps.store.record(context.repo, [{ kind: "intent-opened", intent }], proof);
  await pushCommit(outcome.head, progress, deps);
  const text = renderPullRequest({
    ...{ task, runner: run.runner, attempt: run.attempt },
    ...{ files: outcome.files, outside: outcome.outside, notes: outcome.notes },
    origin: { task: task.id, run: run.id, base },
    verify: verify === undefined ? undefined : { command: verify, verdict: "green" },
  });
  const pull = await deps.github.openPullRequest({
    repo: context.repo,
    branch: run.branch,
    base: context.base,
    ...text,
  });
  await deps.store.record(context.repo, [settled(intent, `#${pull}`, deps)], proof);
  return pull;
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

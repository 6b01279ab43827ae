import type { Change, Intent } from "../../domain/change.ts";
import { lastExplorationOf } from "../../domain/exploration.ts";
import { runsOfTask } from "../../domain/explore/contenders.ts";
import type { Sha } from "../../domain/ids.ts";
import type { Run, RunOutcome, Usage } from "../../domain/run.ts";
import type { Exploring } from "../../domain/story/task-story.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RepoMemory } from "../../ports/store.ts";
import { unlessRefused } from "../../report/publish/unless-refused.ts";
import { renderPullRequest } from "../../report/render/render-pull-request.ts";
import type { PullRequestText } from "../../report/render/render-pull-request.ts";
import { AppError } from "../../shared/app-error.ts";
import { pushChange } from "./push-change.ts";
import type { Pusher } from "./push-change.ts";
import { whenAllowed } from "./when-allowed.ts";

type Succeeded = Extract<RunOutcome, { kind: "succeeded" }>;

export interface PublishableChange {
  readonly outcome: Succeeded;
  /** The run began from this commit. */
  readonly base: Sha;
  /** The run cost this much. It is set while the store does not know it yet. */
  readonly usage?: Usage | undefined;
  /** It was taken from several. */
  readonly exploring?: Exploring | undefined;
}

/**
 * Pushes the commit and opens the pull request, where there is to be one. Both steps find out for themselves whether they already
 * happened. The intent is closed either way: a run that fails here is run again, and publishes under an intent of its own.
 */
export async function publishChange(
  published: PublishableChange,
  progress: Pusher,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "store">,
): Promise<PublishedChange> {
  const { context, proof } = progress;
  const { repo } = context;
  const intent = openIntent(progress, published.outcome.head, deps);
  // A resumed run may have opened the intent before the app was killed.
  const { intents, runs, explorations } = await deps.store.readRepo(repo);
  if (!intents.some(({ key }) => key === intent.key)) {
    await deps.store.record(repo, [{ kind: "intent-opened", intent }], proof);
  }
  try {
    const exploring = published.exploring ?? exploredBefore(progress, { runs, explorations });
    const done = await publish({ ...published, runs, exploring }, progress, deps);
    const result = done.pull === undefined ? "pushed" : `#${done.pull}`;
    await deps.store.record(repo, [closed(intent, result, deps)], proof);
    return done;
  } catch (error) {
    if (error instanceof AppError) {
      await deps.store.record(repo, [closed(intent, error.message, deps)], proof);
    }
    throw error;
  }
}

/** A change that goes on with the winner of an exploration is still that. */
function exploredBefore(
  { run, task }: Pusher,
  { runs, explorations }: Pick<RepoMemory, "runs" | "explorations">,
): Exploring | undefined {
  const exploration = lastExplorationOf(task.id, explorations);
  if (run.rework === undefined || exploration?.end?.winner === undefined) return undefined;
  return { exploration, runs: runsOfTask(task.id, runs) };
}

export interface PublishedChange {
  /** This commit is on the branch. It is not the run's own where that had to catch up with the base. */
  readonly head: Sha;
  /** It is undefined where there is to be no pull request. */
  readonly pull: number | undefined;
}

interface Publishing extends PublishableChange {
  /** These are the repository's runs, as far as the store knows. */
  readonly runs: readonly Run[];
}

async function publish(
  publishing: Publishing,
  progress: Pusher,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "store">,
): Promise<PublishedChange> {
  const { outcome, base } = publishing;
  const { context, run, task } = progress;
  const { repo, base: onto, config } = context;
  const text = describeChange(publishing, progress);
  const { pull } = task;
  if (run.rework !== undefined && pull !== undefined) {
    const head = await pushChange({ commit: outcome.head, expected: base }, progress, deps);
    const report = { repo, task: task.id, what: "pull request's text" };
    const told = await unlessRefused(report, deps, () =>
      deps.github.describePullRequest(repo, pull, text.body),
    );
    sayIfLeft(told, { ...report, pull }, deps);
    return { head, pull };
  }
  const head = await pushChange({ commit: outcome.head, expected: "any" }, progress, deps);
  if (config.land === "commit") return { head, pull: undefined };
  const opened = await whenAllowed(
    () => deps.github.openPullRequest({ repo, branch: run.branch, base: onto, ...text }),
    progress,
    deps,
  );
  sayIfLeft(opened.text, { repo, task: task.id, pull: opened.pull }, deps);
  return { head, pull: opened.pull };
}

function sayIfLeft(
  told: "told" | "left" | undefined,
  at: object,
  { log }: Pick<Deps, "log">,
): void {
  if (told === "left") log.warn(at, "pull request's text left alone: our part of it is gone");
}

function describeChange(
  { outcome, base, exploring, usage, runs }: Publishing,
  { context, run, task }: Pusher,
): PullRequestText {
  const { verify } = context.config;
  const others = runs.filter((one) => one.task === task.id && one.id !== run.id);
  return renderPullRequest({
    task,
    runner: run.runner,
    attempt: run.attempt,
    files: outcome.files,
    outside: outcome.outside,
    notes: outcome.notes,
    origin: { task: task.id, run: run.id, base, objective: task.spec.objective },
    usage: [...others.map((one) => one.usage), usage ?? run.usage].filter(isTold),
    exploring,
    verify: verify === undefined ? undefined : { command: verify, verdict: "green" },
  });
}

function isTold(usage: Usage | undefined): usage is Usage {
  return usage !== undefined;
}

function openIntent({ context, run }: Pusher, head: Sha, deps: Pick<Deps, "clock">): Intent {
  return {
    key: `publish:${run.id}`,
    repo: context.repo,
    kind: "open-pull-request",
    subject: run.task,
    detail: { branch: run.branch, head },
    openedAt: deps.clock.now(),
  };
}

function closed(intent: Intent, result: string, deps: Pick<Deps, "clock">): Change {
  return { kind: "intent-closed", key: intent.key, result, at: deps.clock.now() };
}

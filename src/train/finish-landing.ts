import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { PullRequest } from "../domain/board.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import { AppError } from "../shared/app-error.ts";
import type { UnfinishedLanding } from "./command.ts";
import { stagingRef } from "./fast-forward.ts";
import type { TrainPass } from "./train-pass.ts";
import { recordUnder } from "./with-merge-lock.ts";

/** GitHub may show a landed pull request as open for a while. One that stays open has newer commits: its branch is left alone. */
const PATIENCE_MS = 10 * 60_000;

/** What follows a landing: the issue is closed, the branch goes. Each finds out whether it is done; the intent says that it is due. */
export async function finishLandings(
  landings: readonly UnfinishedLanding[],
  pass: TrainPass,
  deps: Deps,
): Promise<boolean> {
  // It rides along with the next look that something else needs.
  if (pass.look === undefined) return false;
  const { repo } = pass.context;
  const due = landings.filter(({ entry }) => isDue(entry, pass, deps.clock.now()));
  const settled: Change[] = [];
  try {
    await unstage(due, deps);
    for (const { entry, key } of due) {
      await tidying(entry, () => finish(entry, pass, deps), deps);
      settled.push({ kind: "intent-settled", key, result: "done", at: deps.clock.now() });
    }
  } finally {
    if (settled.length > 0) await recordUnder(pass.lock, { repo, changes: settled }, deps);
  }
  return settled.length > 0;
}

function isDue(entry: Entry, pass: TrainPass, now: Instant): boolean {
  return shownState(entry, pass) !== "open" || now - entry.changedAt > PATIENCE_MS;
}

/** One commit was staged for all that landed together. */
async function unstage(due: readonly UnfinishedLanding[], deps: Deps): Promise<void> {
  const staged = new Map(due.map(({ entry }) => [entry.batch, entry]));
  for (const [batch, entry] of staged) {
    if (batch === undefined) continue;
    await tidying(entry, () => deps.git.unstage(entry.repo, stagingRef(batch)), deps);
  }
}

async function tidying(entry: Entry, work: () => Promise<void>, deps: Deps): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    // A branch or an issue left behind is untidy, not wrong.
    deps.log.warn({ repo: entry.repo, task: entry.task, err: error }, "landing not tidied up");
  }
}

async function finish(entry: Entry, pass: TrainPass, deps: Deps): Promise<void> {
  const task = pass.tasks.find(({ id }) => id === entry.task);
  if (task === undefined) return;
  const shown = shownState(entry, pass);
  if (isIssueOurs(entry, shown, pass)) await closeIssue(task, pass, deps);
  if (shown !== "open") await removeBranch(task, pass, deps);
}

function shownState({ pull }: Entry, { look }: TrainPass): PullRequest["state"] | undefined {
  return pull === undefined ? undefined : look?.pulls.get(pull)?.state;
}

/**
 * GitHub itself closes issues only for what is merged into the default branch by a pull request. One whose moved head GitHub saw
 * too late ends as closed.
 */
function isIssueOurs(
  { pull }: Entry,
  shown: PullRequest["state"] | undefined,
  { context }: TrainPass,
): boolean {
  return pull === undefined || shown === "closed" || context.config.base !== undefined;
}

async function closeIssue(task: Task, { context }: TrainPass, deps: Deps): Promise<void> {
  const states = await deps.github.issueStates(context.repo, [task.id]);
  if (states.get(task.id) === "open") await deps.github.closeIssue(context.repo, task.issue);
}

/** Never the branch that another open pull request wants to go to: GitHub would close that one for good. */
async function removeBranch(
  { branch }: Task,
  { context, look }: TrainPass,
  deps: Deps,
): Promise<void> {
  if (branch === undefined || look?.wanted.get(branch) !== false) return;
  await deps.git.deleteBranch(context.repo, branch);
}

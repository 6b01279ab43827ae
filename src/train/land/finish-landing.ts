import type { PullRequest } from "../../domain/board.ts";
import type { Change } from "../../domain/change.ts";
import type { Entry } from "../../domain/entry.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Task } from "../../domain/task.ts";
import type { Deps } from "../../ports/deps.ts";
import { AppError } from "../../shared/app-error.ts";
import type { UnfinishedLanding, TrainPass } from "../queue/action.ts";
import { recordUnder } from "../queue/with-merge-lock.ts";
import { stagingRef } from "./fast-forward.ts";

/** GitHub may show a landed pull request as open for a while. One that stays open longer has newer commits: its branch is left alone. */
const MAX_SHOWN_OPEN_MS = 10 * 60_000;

/** Closes the issue and deletes the branch after a landing. Each step checks whether it is already done; the intent says that it is due. */
export async function finishLandings(
  landings: readonly UnfinishedLanding[],
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "store">,
): Promise<boolean> {
  // Finishing waits for the next look at GitHub that something else needs.
  if (pass.look === undefined) return false;
  const { repo } = pass.context;
  const due = landings.filter(({ entry }) => isDue(entry, pass, deps.clock.now()));
  const closed: Change[] = [];
  try {
    await unstage(due, deps);
    for (const { entry, key } of due) {
      await tidying(entry, () => finish(entry, pass, deps), deps);
      closed.push({ kind: "intent-closed", key, result: "done", at: deps.clock.now() });
    }
  } finally {
    if (closed.length > 0) await recordUnder(pass.lock, { repo, changes: closed }, deps);
  }
  return closed.length > 0;
}

function isDue(entry: Entry, pass: TrainPass, now: Instant): boolean {
  return shownState(entry, pass) !== "open" || now - entry.changedAt > MAX_SHOWN_OPEN_MS;
}

/** Only one commit was staged for all entries that landed together. */
async function unstage(
  due: readonly UnfinishedLanding[],
  deps: Pick<Deps, "git" | "log">,
): Promise<void> {
  const staged = new Map(due.map(({ entry }) => [entry.batch, entry]));
  for (const [batch, entry] of staged) {
    if (batch === undefined) continue;
    await tidying(entry, () => deps.git.unstage(entry.repo, stagingRef(batch)), deps);
  }
}

async function tidying(
  entry: Entry,
  work: () => Promise<void>,
  deps: Pick<Deps, "log">,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    // A branch or an issue left behind is untidy, not wrong.
    deps.log.warn({ repo: entry.repo, task: entry.task, err: error }, "landing not tidied up");
  }
}

async function finish(
  entry: Entry,
  pass: TrainPass,
  deps: Pick<Deps, "git" | "github">,
): Promise<void> {
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
 * GitHub itself closes an issue only when a pull request is merged into the default branch. A pull request whose moved head GitHub saw
 * too late ends as closed, so its issue is ours to close.
 */
function isIssueOurs(
  { pull }: Entry,
  shown: PullRequest["state"] | undefined,
  { context }: TrainPass,
): boolean {
  return pull === undefined || shown === "closed" || context.config.base !== undefined;
}

async function closeIssue(
  task: Task,
  { context }: TrainPass,
  deps: Pick<Deps, "github">,
): Promise<void> {
  const states = await deps.github.issueStates(context.repo, [task.id]);
  if (states.get(task.id) === "open") await deps.github.closeIssue(context.repo, task.issue);
}

/** Never deletes a branch that is the base of another open pull request: GitHub would close that one for good. */
async function removeBranch(
  { branch }: Task,
  { context, look }: TrainPass,
  deps: Pick<Deps, "git">,
): Promise<void> {
  if (branch === undefined || look?.wanted.get(branch) !== false) return;
  await deps.git.deleteBranch(context.repo, branch);
}

import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { PullRequest } from "../domain/board.ts";
import type { EntryId } from "../domain/ids.ts";
import type { Entry } from "../domain/entry.ts";
import type { Task } from "../domain/task.ts";
import { AppError } from "../shared/app-error.ts";
import { stagingRef } from "./fast-forward.ts";
import type { TrainPass } from "./train-pass.ts";
import { recordUnder } from "./with-merge-lock.ts";

/** GitHub may show a landed pull request as open for a while. One that stays open has newer commits: its branch is left alone. */
const PATIENCE_MS = 10 * 60_000;

interface Finish {
  readonly entry: EntryId;
  readonly key: string;
}

/** What follows a landing: the issue is closed, the branch goes. Each finds out whether it is done; the intent says that it is due. */
export async function finishLanding(
  { entry: id, key }: Finish,
  pass: TrainPass,
  deps: Deps,
): Promise<boolean> {
  const { repo } = pass.context;
  // It rides along with the next look that something else needs.
  if (pass.look === undefined) return false;
  const { entries, tasks } = await deps.store.readRepo(repo);
  const entry = entries.find((candidate) => candidate.id === id);
  const task = tasks.find((candidate) => candidate.id === entry?.task);
  const done =
    entry === undefined || task === undefined || (await finish({ entry, task }, pass, deps));
  if (!done) return false;
  const at = deps.clock.now();
  const settled: Change = { kind: "intent-settled", key, result: "done", at };
  await recordUnder(pass.lock, { repo, changes: [settled] }, deps);
  return true;
}

interface Landed {
  readonly entry: Entry;
  readonly task: Task;
}

async function finish(landed: Landed, pass: TrainPass, deps: Deps): Promise<boolean> {
  const { entry, task } = landed;
  try {
    const shown = shownState(entry, pass);
    const open = shown === "open";
    if (open && deps.clock.now() - entry.changedAt <= PATIENCE_MS) return false;
    if (isIssueOurs(landed, shown, pass)) await closeIssue(landed, pass, deps);
    await unstage(entry, deps);
    if (!open) await removeBranch(task, pass, deps);
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    // A branch or an issue left behind is untidy, not wrong.
    deps.log.warn({ repo: entry.repo, task: task.id, err: error }, "landing not tidied up");
  }
  return true;
}

function shownState({ pull }: Entry, { look }: TrainPass): PullRequest["state"] | undefined {
  return pull === undefined ? undefined : look?.pulls.get(pull)?.state;
}

async function unstage(entry: Entry, deps: Deps): Promise<void> {
  if (entry.batch !== undefined) await deps.git.unstage(entry.repo, stagingRef(entry.batch));
}

/**
 * GitHub itself closes issues only for what is merged into the default branch by a pull request. One whose moved head GitHub saw
 * too late ends as closed.
 */
function isIssueOurs(
  { entry }: Landed,
  shown: PullRequest["state"] | undefined,
  { context }: TrainPass,
): boolean {
  return entry.pull === undefined || shown === "closed" || context.config.base !== undefined;
}

async function closeIssue({ task }: Landed, { context }: TrainPass, deps: Deps): Promise<void> {
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

import type { Sha } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { CaughtUp, PushOutcome } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";
import { plainName } from "../../shared/quote.ts";
import type { Proof } from "../../ports/store.ts";
import type { RunInProgress } from "../agent/run-in-progress.ts";
import { whenAllowed } from "./when-allowed.ts";

/** The base may get other workflow files between our look at it and the push; several times in a row is no accident. */
const MAX_TRIES = 3;

const CURRENT: CaughtUp = { kind: "current" };

/** Names the run that publishes. Without a proof, nobody else may be at work on the task. */
export type Pusher = Pick<RunInProgress, "context" | "run" | "task"> & {
  readonly proof: Proof | undefined;
  readonly signal?: AbortSignal;
  /** It is called when the change is on GitHub, where it is safe. */
  readonly pushed?: () => void;
};

interface PushedChange {
  readonly commit: Sha;
  /** A run that goes on with a branch adds to what it found there, and never replaces commits that came since. */
  readonly expected: Sha | "any";
}

/**
 * Puts the change on its branch and returns the commit that is there then. GitHub refuses a branch whose workflow files are not the
 * default branch's, also when it is only behind: such a change catches up with the base first.
 */
export async function pushChange(
  change: PushedChange,
  pusher: Pusher,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "store">,
): Promise<Sha> {
  for (let tries = 1; ; tries += 1) {
    // The turn comes first, because the base may move while it is waited for.
    await whenAllowed(() => deps.github.takePush(pusher.context.repo), pusher, deps);
    // With the permission nothing is refused, unless it was taken away since it was last looked for.
    const mayDiffer = tries === 1 && pusher.context.mayWriteWorkflows === true;
    const caughtUp = mayDiffer ? CURRENT : await bringUpToDate(change, pusher, deps);
    const commit = caughtUp.kind === "caught-up" ? caughtUp.commit : change.commit;
    const pushed = await push({ ...change, commit }, pusher, deps);
    if (pushed.kind === "pushed") return commit;
    const movesOn = caughtUp.kind === "caught-up" || caughtUp.kind === "current";
    if (pushed.workflows === true && movesOn && tries < MAX_TRIES) continue;
    throw refused(pushed, caughtUp, pusher);
  }
}

async function bringUpToDate(
  { commit, expected }: PushedChange,
  { context, run }: Pusher,
  { git }: Pick<Deps, "git">,
): Promise<CaughtUp> {
  const { repo, base } = context;
  const tip = await git.fetchBranch(repo, base);
  const rewrite = expected === "any";
  const message = `Merge ${base} into ${run.branch}`;
  return git.catchUp({ repo, head: commit, base: tip, rewrite, message });
}

async function push(
  { commit, expected }: PushedChange,
  { context, run, pushed: told }: Pusher,
  { git }: Pick<Deps, "git">,
): Promise<PushOutcome> {
  const { branch } = run;
  const pushed = await git.pushBranch({ repo: context.repo, branch, commit, expected });
  if (pushed.kind === "pushed") told?.();
  return pushed;
}

/** A change that does not fit on the base is run again, with its work at hand: only what GitHub itself refuses for workflow files is given up. */
function refused(
  { reason, workflows }: Extract<PushOutcome, { kind: "rejected" }>,
  caughtUp: CaughtUp,
  { context: { base }, run: { branch } }: Pusher,
): AppError {
  if (workflows !== true || caughtUp.kind !== "conflict") {
    const code = workflows === true ? "workflows-refused" : "git-failed";
    return new AppError(code, `cannot push ${branch}: ${reason}`);
  }
  const paths = caughtUp.paths.map(plainName).join(", ");
  return new AppError(
    "git-failed",
    `cannot push ${branch}: workflow files of ${base} changed since the run began, and the change conflicts with ${base} in ${paths}`,
  );
}

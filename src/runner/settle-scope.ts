import type { Deps } from "../deps.ts";
import { claimForPath } from "../domain/claim/claim-for-path.ts";
import type { ClaimHold } from "../domain/claim-hold.ts";
import { AppError } from "../shared/app-error.ts";
import { checkScope } from "./check-scope.ts";
import type { ScopeAnswer, ScopeQuestion } from "./check-scope.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** Each means that another task took claims between a reading and a write of a few milliseconds. */
const ATTEMPTS = 10;

/** Holds the diff against all claims as they are, and takes what is outside of the task's own before anyone else can. */
export async function settleScope(
  diff: Pick<ScopeQuestion, "paths" | "directories">,
  progress: RunInProgress,
  deps: Deps,
): Promise<ScopeAnswer> {
  const { task, context } = progress;
  for (let attempt = 1; ; attempt += 1) {
    const { tasks, holds, fence } = await deps.store.readRepo(context.repo);
    const answer = checkScope({ ...diff, task, tasks, holds, config: context.config });
    const hold = holds.find((one) => one.task === task.id);
    if (answer.kind === "refused" || answer.outside.length === 0 || hold === undefined)
      return answer;
    if (await extend({ hold, next: fence + 1, outside: answer.outside }, progress, deps))
      return answer;
    if (attempt === ATTEMPTS)
      throw new AppError(
        "store-conflict",
        `cannot extend the claims of ${task.id}: too many rivals`,
      );
  }
}

interface Extension {
  readonly hold: ClaimHold;
  readonly next: number;
  readonly outside: readonly string[];
}

/** False when claims were taken since they were read. */
async function extend(
  { hold, next, outside }: Extension,
  { context, proof }: RunInProgress,
  deps: Deps,
): Promise<boolean> {
  const { task, run, fence } = hold;
  const add = outside.map(claimForPath);
  const change = { kind: "claims-extended", task, run, fence, next, add } as const;
  try {
    await deps.store.record(context.repo, [{ ...change, at: deps.clock.now() }], proof);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "store-conflict") return false;
    throw error;
  }
}

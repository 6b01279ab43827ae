import { claimForPath } from "../../domain/claim/claim.ts";
import type { ClaimHold } from "../../domain/task.ts";
import type { Deps } from "../../ports/deps.ts";
import { AppError } from "../../shared/app-error.ts";
import type { RunInProgress } from "../agent/run-in-progress.ts";
import { checkScope } from "./check-scope.ts";
import type { ScopeAnswer, ScopeQuestion } from "./check-scope.ts";

/** An attempt fails only if another task took claims in the few milliseconds between the reading and the write. */
const MAX_ATTEMPTS = 10;

/** Compares the diff with all present claims, and takes the paths outside of the task's own before anyone else can. */
export async function resolveScope(
  diff: Pick<ScopeQuestion, "paths" | "directories">,
  progress: RunInProgress,
  deps: Pick<Deps, "clock" | "store">,
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
    if (attempt === MAX_ATTEMPTS)
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

/** Returns false when claims were taken since they were read. */
async function extend(
  { hold, next, outside }: Extension,
  { context, proof }: RunInProgress,
  deps: Pick<Deps, "clock" | "store">,
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

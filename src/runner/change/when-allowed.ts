import type { Change } from "../../domain/change.ts";
import type { Deps } from "../../ports/deps.ts";
import type { Proof } from "../../ports/store.ts";
import { AppError } from "../../shared/app-error.ts";
import { sleep } from "../../shared/sleep.ts";
import type { RunInProgress } from "../agent/run-in-progress.ts";

/** Asking our own budget of writes costs nothing. */
const LOOK_EVERY_MS = 5_000;

type Waiting = Pick<RunInProgress, "context" | "task"> & {
  readonly proof: Proof | undefined;
  readonly signal?: AbortSignal;
};

/** Does work that the budget of writes holds back as soon as there is room again. The task says meanwhile what it waits for. */
export async function whenAllowed<T>(
  work: () => Promise<T>,
  waiting: Waiting,
  deps: Pick<Deps, "clock" | "log" | "store">,
): Promise<T> {
  let said: string | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isHeldBack(error) || waiting.signal?.aborted === true) throw error;
      if (error.message !== said) await explain(error.message, waiting, deps);
      said = error.message;
      await sleep(Math.max(error.retryAfterMs ?? 0, LOOK_EVERY_MS), deps.clock, waiting.signal);
    }
  }
}

function isHeldBack(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "github-rate-limited";
}

async function explain(
  why: string,
  { context, task, proof }: Waiting,
  { store, clock, log }: Pick<Deps, "clock" | "log" | "store">,
): Promise<void> {
  const reason = `opens its pull request later: ${why}`;
  const at = clock.now();
  const change: Change = {
    kind: "task-explained",
    task: task.id,
    reason,
    wave: task.wave,
    at,
  };
  await store.record(context.repo, [change], proof);
  log.info({ repo: context.repo, task: task.id, reason }, "pull request held back");
}

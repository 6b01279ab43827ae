import { decidePromotion } from "../domain/explore/contenders.ts";
import type { Run } from "../domain/run.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";

/** A person may ask for one attempt or one run; they mean the latest otherwise. */
export interface RunWish {
  readonly attempt: number | undefined;
  readonly run: string | undefined;
}

export function readRunWish(query: URLSearchParams): Result<RunWish, string> {
  const attempt = query.get("attempt");
  if (attempt !== null && !/^[1-9]\d{0,9}$/.test(attempt)) return fail("attempt is not a number");
  return ok({
    attempt: attempt === null ? undefined : Number(attempt),
    run: query.get("run") ?? undefined,
  });
}

/** Of several runs in an attempt one at work is meant, or else the best. The result is undefined when nothing ran yet. */
export function chooseRun(
  runs: readonly Run[],
  { attempt, run }: RunWish,
  task: string,
): Result<Run | undefined, string> {
  if (run !== undefined) {
    const named = runs.find(({ id }) => id === run);
    return named === undefined ? fail(`${task} has no run ${JSON.stringify(run)}`) : ok(named);
  }
  const latest = Math.max(...runs.map((one) => one.attempt));
  const ofAttempt = runs.filter((one) => one.attempt === (attempt ?? latest));
  const chosen = leadingOf(ofAttempt);
  if (chosen !== undefined || attempt === undefined) return ok(chosen);
  const attempts = [...new Set(runs.map((one) => one.attempt))].join(", ");
  return fail(
    `${task} has no attempt ${attempt}; it had ${attempts === "" ? "none yet" : attempts}`,
  );
}

/** Of runs that are equally good the latest counts. */
function leadingOf(runs: readonly Run[]): Run | undefined {
  const atWork = runs.find(({ state }) => state !== "finished");
  const latestFirst = runs.toSorted((a, b) => b.queuedAt - a.queuedAt);
  return atWork ?? decidePromotion(latestFirst) ?? latestFirst[0];
}

import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import { AppError } from "../../shared/app-error.ts";

interface Report {
  readonly repo: RepoName;
  readonly task?: TaskId | undefined;
  readonly what: string;
}

/**
 * A locked issue, a deleted card or a missing permission must not hold back the other reports, nor be tried in every tick: callers take
 * undefined as reported, until they have something new to report. Every other error ends the tick, which is repeated.
 */
export async function unlessRefused<T>(
  report: Report,
  deps: Pick<Deps, "log">,
  publish: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await publish();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "github-refused") throw error;
    deps.log.warn({ ...report, err: error }, "report refused");
    return undefined;
  }
}

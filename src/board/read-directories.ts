import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { AppError } from "../shared/app-error.ts";

/** Reads the folders over git, so that it costs no call of the API. It returns undefined while nobody waits to be planned, or where they cannot be read. */
export async function readDirectories(
  { repo, base }: RepoContext,
  tasks: readonly Task[],
  { git, log }: Pick<Deps, "git" | "log">,
): Promise<ReadonlySet<string> | undefined> {
  if (!tasks.some(({ state }) => state === "waiting" || state === "blocked")) return undefined;
  try {
    return await git.directoriesOf(repo, await git.fetchBranch(repo, base));
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    log.warn({ repo, err }, "base tree not read");
    return undefined;
  }
}

import { wordOutOfReach } from "../domain/claim/out-of-reach.ts";
import type { OutOfReach } from "../domain/claim/out-of-reach.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { AppError } from "../shared/app-error.ts";

/** Says what the plan has to know of the base's tree. */
export interface BaseTree {
  readonly directories: ReadonlySet<string>;
  readonly outOfReach: OutOfReach;
}

/** Reads the tree over git, so that it costs no call of the API. It returns undefined while nobody waits to be planned, or where it cannot be read. */
export async function readDirectories(
  { repo, base }: RepoContext,
  tasks: readonly Task[],
  { git, log, notices }: Pick<Deps, "git" | "log" | "notices">,
): Promise<BaseTree | undefined> {
  if (!tasks.some(({ state }) => state === "waiting" || state === "blocked")) return undefined;
  try {
    const tip = await git.fetchBranch(repo, base);
    const [directories, outOfReach] = await Promise.all([
      git.directoriesOf(repo, tip),
      git.outOfReachIn(repo, tip),
    ]);
    notices.set(repo, "tree", wordOutOfReach(outOfReach));
    return { directories, outOfReach };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    log.warn({ repo, err }, "base tree not read");
    return undefined;
  }
}

import { taskOfHome } from "../../cleanup/clear-homes.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { RepoNaming } from "../../domain/ids.ts";
import type { Loop } from "../../loop/loop.ts";
import type { Deps } from "../../ports/deps.ts";
import type { InstalledRepo } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { decideRenames } from "./decide-renames.ts";

export interface RenameParts {
  readonly loop: Pick<Loop, "rested" | "unwatch" | "watched">;
  readonly background: {
    stopIn(repo: RepoName, reason: string): void;
    endedIn(repo: RepoName): Promise<void>;
  };
  /** The lanes' knowledge of a repository between ticks is not true of another one of the same name. */
  readonly forget: (repo: RepoName) => void;
  readonly deps: Pick<Deps, "clock" | "git" | "github" | "host" | "log" | "notices" | "store">;
}

/**
 * Brings everything to the names that repositories have now: first the store, in one transaction each, then what is on disk. Killed in
 * between, the next call goes on from what it finds. It returns all names that are known.
 */
export async function followRenames(
  installed: readonly InstalledRepo[],
  parts: RenameParts,
): Promise<readonly RepoNaming[]> {
  const { store, git } = parts.deps;
  for (const { id, from, to } of decideRenames(await store.repoNames(), installed)) {
    await quiet(from, to, parts);
    await record({ id, repo: from }, to, parts);
  }
  const names = await store.repoNames();
  // Another server may have been first, and this one still works under the old names.
  for (const repo of parts.loop.watched())
    if (isFormer(names, repo)) await quiet(repo, "a new name", parts);
  await git.followNames(names);
  await dropHomes(names, parts.deps);
  return names;
}

/** Ends all work under the old name. What runs have done is saved, and their tasks go on under the new one. */
async function quiet(repo: RepoName, to: string, parts: RenameParts): Promise<void> {
  const { loop, background, forget, deps } = parts;
  loop.unwatch(repo);
  await loop.rested(repo);
  background.stopIn(repo, `${repo} was renamed to ${to}`);
  await background.endedIn(repo);
  forget(repo);
  deps.github.forgetReadings();
  for (const topic of ["access", "base", "board", "configuration", "trouble", "tree"] as const)
    deps.notices.set(repo, topic, []);
}

async function record(
  { id, repo: from }: Pick<RepoNaming, "id" | "repo">,
  to: RepoName,
  { deps }: RenameParts,
): Promise<void> {
  const at = deps.clock.now();
  try {
    await deps.store.record(from, [{ kind: "repo-renamed", id, from, to, at }]);
    deps.log.info({ repo: to, reason: `it was ${from}` }, "repository renamed");
  } catch (error) {
    // Another server was first.
    if (!(error instanceof AppError) || error.code !== "store-conflict") throw error;
    deps.log.warn({ repo: to, err: error }, "repository not renamed");
  }
}

/** A HOME is called after its task. A runner finds its work again, but not its conversation. */
async function dropHomes(
  names: readonly RepoNaming[],
  { host }: Pick<Deps, "host">,
): Promise<void> {
  for (const home of await host.listHomes()) {
    const [repo] = taskOfHome(home).split("#");
    if (isFormer(names, repo ?? "")) await host.removeHome(home);
  }
}

/** Tells whether a repository had the name and none has it now. */
function isFormer(names: readonly RepoNaming[], repo: string): boolean {
  const found = names.filter((one) => one.repo === repo);
  return found.length > 0 && found.every(({ until }) => until !== undefined);
}

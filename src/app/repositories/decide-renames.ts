import { repoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { nameNow } from "../../domain/ids.ts";
import type { RepoRenamed } from "../../domain/change.ts";
import type { RepoNaming } from "../../domain/ids.ts";

type Named = Pick<RepoNaming, "id" | "repo">;
type Rename = Pick<RepoRenamed, "id" | "from" | "to">;

/**
 * Says which repositories have other names than the store knows. One whose name another one has now is put out of its way first, under a
 * name that GitHub gives nobody: it may have gone where the app does not see it, or it is on this list itself.
 */
export function decideRenames(
  names: readonly RepoNaming[],
  installed: readonly Named[],
): readonly Rename[] {
  const known = names.filter(({ until }) => until === undefined);
  const parked = known.flatMap(({ id, repo }): readonly Rename[] => {
    const isTaken = installed.some((one) => one.repo === repo && one.id !== id);
    return isTaken ? [{ id, from: repo, to: parkedName({ id, repo }) }] : [];
  });
  const renamed = installed.flatMap(({ id, repo }): readonly Rename[] => {
    const from = parked.find((one) => one.id === id)?.to ?? nameNow(known, id);
    return from === undefined || from === repo ? [] : [{ id, from, to: repo }];
  });
  return [...parked, ...renamed];
}

/** No name on GitHub ends with `.git`. */
export function parkedName({ id, repo }: Named): RepoName {
  return repoName(`${repo}.${id}.git`);
}

export function isParked({ repo }: Named): boolean {
  return repo.endsWith(".git");
}

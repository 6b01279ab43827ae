import { isRepoName } from "../domain/ids.ts";
import type { RepoName } from "../domain/ids.ts";
import { aliasOf } from "../domain/markers.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import type { ControlSource } from "./route.ts";

/** Finds the repository that is meant: the only one where none is named. */
export function repoMeant(
  name: string | null,
  watched: readonly RepoName[],
): Result<RepoName, string> {
  const names = watched.toSorted().join(", ");
  if (name === null) {
    const [only, ...others] = watched;
    if (only !== undefined && others.length === 0) return ok(only);
    if (only === undefined) return fail("no repository is watched yet");
    return fail(`say which repository is meant with --repo: ${names}`);
  }
  const known = watched.find((repo) => repo.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return ok(known);
  if (!isRepoName(name)) return fail(`${JSON.stringify(name)} is not an owner/name`);
  return fail(`${name} is not watched; these are: ${names === "" ? "none" : names}`);
}

/** Finds the issue that is meant, by its number or by the id that its task had in a file; undefined when none is named. */
export async function issueMeant(
  query: URLSearchParams,
  repo: RepoName,
  { store }: Pick<ControlSource, "store">,
): Promise<Result<number | undefined, string>> {
  const issue = query.get("issue");
  const alias = query.get("task");
  if (issue !== null) {
    return /^[1-9]\d{0,9}$/.test(issue) ? ok(Number(issue)) : fail("issue is not a number");
  }
  if (alias === null) return ok(undefined);
  const { tasks } = await store.readRepo(repo);
  const found = tasks.filter(({ spec }) => aliasOf(spec.body) === alias);
  const [only, ...others] = found;
  if (only === undefined)
    return fail(
      `there is no task ${JSON.stringify(alias)} in ${repo}; wavetrain status lists them`,
    );
  if (others.length === 0) return ok(only.issue);
  const numbers = found.map((task) => `#${task.issue}`).join(", ");
  return fail(`${JSON.stringify(alias)} may be any of ${numbers}: say which by its number`);
}

/** The part of a push that tells which files it changed. */
interface Push {
  readonly ref?: string;
  readonly repository?: { readonly default_branch?: string } | null;
  readonly commits?: readonly {
    readonly added?: readonly string[];
    readonly modified?: readonly string[];
    readonly removed?: readonly string[];
  }[];
  readonly forced?: boolean;
}

/** GitHub lists this many commits of a push at most; what comes after is not told. */
const MOST_COMMITS = 2048;

/** Whether a push may have changed the file on the default branch; what the payload cannot tell counts as yes. */
export function touchesConfig(event: string, payload: object, path: string): boolean {
  if (event !== "push") return false;
  const { ref, repository, commits = [], forced = false } = payload as Push;
  const branch = repository?.default_branch;
  if (ref !== undefined && branch !== undefined && ref !== `refs/heads/${branch}`) return false;
  if (forced || commits.length >= MOST_COMMITS) return true;
  return commits.some(({ added = [], modified = [], removed = [] }) =>
    [added, modified, removed].some((paths) => paths.includes(path)),
  );
}

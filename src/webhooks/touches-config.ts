/** The part of a push that tells which files it changed. */
interface Push {
  readonly commits?: readonly {
    readonly added?: readonly string[];
    readonly modified?: readonly string[];
    readonly removed?: readonly string[];
  }[];
  readonly forced?: boolean;
  readonly ref?: string;
  readonly repository?: { readonly default_branch?: string };
}

/** GitHub lists this many commits of a push at most; what comes after is not told. */
const MOST_COMMITS = 2048;

/** Whether a push may have changed the file; what the payload cannot tell counts as yes. */
export function touchesConfig(event: string, payload: object, path: string): boolean {
  if (event !== "push") return false;
  const { commits = [], forced = false, ref, repository } = payload as Push;
  const home = repository?.default_branch;
  // The train forces branches of its own with every landing; the file counts on the default branch alone.
  if (ref !== undefined && home !== undefined && ref !== `refs/heads/${home}`) return false;
  if (forced || commits.length >= MOST_COMMITS) return true;
  return commits.some(({ added = [], modified = [], removed = [] }) =>
    [added, modified, removed].some((paths) => paths.includes(path)),
  );
}

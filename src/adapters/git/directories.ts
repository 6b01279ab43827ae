import type { RepoName, Sha } from "../../domain/ids.ts";
import type { Git } from "../../ports/git.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** A commit's folders never change, and few commits are asked about: bases of runs and the tips of base branches. */
const KEPT_COMMITS = 16;

/** The part of the port that knows folders. */
export function createDirectories(git: MirrorGit): Pick<Git, "directoriesOf"> {
  const kept = new Map<string, Promise<ReadonlySet<string>>>();

  function directoriesOf(repo: RepoName, commit: Sha): Promise<ReadonlySet<string>> {
    const key = `${repo} ${commit}`;
    const known = kept.get(key) ?? listDirectories(git, repo, commit);
    kept.delete(key);
    kept.set(key, known);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_COMMITS && oldest !== undefined) kept.delete(oldest);
    known.catch(() => kept.delete(key));
    return known;
  }

  return { directoriesOf };
}

async function listDirectories(
  git: MirrorGit,
  repo: RepoName,
  commit: Sha,
): Promise<ReadonlySet<string>> {
  const args = ["ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", commit];
  const listed = await git.expect({ repo, args });
  return new Set(listed.split("\0").filter(Boolean));
}

import { readCommit } from "../git/history.ts";
import type { Repository } from "../model/repository.ts";
import type { CommitName } from "./git-objects.ts";
import { commitNamed } from "./git-objects.ts";

/** The commit that an object id or an expression such as `main` names; null when there is none. */
export async function commitAt(repository: Repository, rev: string): Promise<CommitName | null> {
  if (rev === "" || rev.startsWith("-")) return null;
  if (rev.includes(":"))
    throw new Error("the local GitHub does not model Repository.object of files");
  const commit = await readCommit(repository.dir, rev);
  return commit ? commitNamed(repository, commit.sha) : null;
}

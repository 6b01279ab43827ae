import { hasCommit } from "../../git/history.ts";
import type { Repository } from "../../model/repository.ts";

/** Finds the commit that a branch, tag, `heads/x` or full id names. */
export async function shaOf(repository: Repository, name: string): Promise<string | undefined> {
  const candidates = [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`, name];
  for (const candidate of candidates) {
    const sha = repository.refs.get(candidate);
    if (sha !== undefined) return sha;
  }
  const isFullId = /^[0-9a-f]{40}$/.test(name);
  return isFullId && (await hasCommit(repository.dir, name)) ? name : undefined;
}

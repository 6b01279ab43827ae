import { git } from "../../git/git.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { Repository } from "../../model/repository.ts";

/** Fetches the branch of a fork into the repository, as GitHub does as soon as a pull request asks for it. */
export async function bringHead(
  repository: Repository,
  { headRepository, headRef }: Pick<PullRequest, "headRepository" | "headRef">,
): Promise<void> {
  if (headRepository === repository) return;
  const args = ["fetch", "--quiet", "--no-tags", headRepository.dir, `refs/heads/${headRef}`];
  await git(repository.dir, args);
}

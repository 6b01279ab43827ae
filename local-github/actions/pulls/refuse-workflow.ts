import { changedWorkflow } from "../../git/workflow-files.ts";
import { Problem } from "../../model/problem.ts";
import { branchSha } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";

/** Refuses every call by which an App without the permission would bring a new or changed workflow file to a branch. */
export async function refuseWorkflow(
  repository: Repository,
  move: { readonly before: string | null; readonly after: string },
): Promise<void> {
  const known = branchSha(repository, repository.defaultBranch);
  const path = await changedWorkflow(repository.dir, { ...move, known });
  if (path === undefined) return;
  throw new Problem(
    403,
    `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`,
  );
}

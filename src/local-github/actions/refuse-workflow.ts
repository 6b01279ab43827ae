import { changedWorkflow } from "../git/workflow-files.ts";
import { Problem } from "../model/problem.ts";
import type { Repository } from "../model/repository.ts";
import { branchSha } from "../model/repository.ts";

/** Without the permission no App brings a workflow file to a branch that does not have it so, by whatever call. */
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

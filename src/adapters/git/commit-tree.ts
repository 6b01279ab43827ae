import { sha, type RepoName, type Sha } from "../../domain/ids.ts";
import { identityEnvironment, type Identity } from "./git-environment.ts";
import type { MirrorGit } from "./mirror-git.ts";

export async function commitTree(
  git: MirrorGit,
  request: {
    readonly repo: RepoName;
    readonly tree: Sha;
    readonly parents: readonly Sha[];
    readonly message: string;
    readonly identity: Identity;
    /** Where someone else wrote it. */
    readonly author?: Identity;
  },
): Promise<Sha> {
  const written = await git.expect({
    repo: request.repo,
    args: ["commit-tree", request.tree, ...request.parents.flatMap((parent) => ["-p", parent])],
    env: identityEnvironment(request.identity, request.author),
    input: request.message.endsWith("\n") ? request.message : `${request.message}\n`,
  });
  return sha(written.trim());
}

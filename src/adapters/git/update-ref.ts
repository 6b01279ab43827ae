import type { RepoName, Sha } from "../../domain/ids.ts";
import { lengthUpTo, type Helper } from "./conversation.ts";
import type { MirrorGit } from "./mirror-git.ts";

const UPDATE_REF: Helper = {
  args: ["update-ref", "--stdin"],
  lengthOf: lengthUpTo("commit: ok\n"),
};

/** Moves a ref of the mirror, or deletes it. To be called in the repository's turn of the queue. */
export async function updateRef(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha | undefined },
): Promise<void> {
  const change = commit === undefined ? `delete ${ref}` : `update ${ref} ${commit}`;
  await git.ask(repo, UPDATE_REF, `start\n${change}\ncommit\n`);
}

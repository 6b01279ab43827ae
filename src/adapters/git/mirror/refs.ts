import type { RepoName, Sha } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { lengthUpTo, type GitProgram } from "../run/conversations.ts";
import type { MirrorGit } from "./mirror-git.ts";

// Git forbids these in the name of a ref; in a refspec `:`, `*` and `+` have a meaning of their own.
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(^|\/)\.|\.lock(\/|$)/;

const UPDATE_REF: GitProgram = {
  args: ["update-ref", "--stdin"],
  lengthOf: lengthUpTo("commit: ok\n"),
};

export function branchRef(branch: string): string {
  if (branch === "" || branch.startsWith("-") || FORBIDDEN.test(branch))
    throw new AppError("git-failed", `not a branch name: ${JSON.stringify(branch)}`);
  return `refs/heads/${branch}`;
}

/** The mirror keeps the tips of remote branches here. */
export const MIRRORED_REFS = "refs/wavetrain/remote/";

/** Names the ref where the mirror keeps the tip of a remote branch. It is one path component, so `a` and `a/b` may follow each other. */
export function mirroredRef(branch: string): string {
  branchRef(branch);
  return `${MIRRORED_REFS}${encodeURIComponent(branch)}`;
}

/** Moves a ref of the mirror, or deletes it. Callers must have the repository's turn in the queue. */
export async function updateRef(
  git: MirrorGit,
  repo: RepoName,
  { ref, commit }: { readonly ref: string; readonly commit: Sha | undefined },
): Promise<void> {
  const change = commit === undefined ? `delete ${ref}` : `update ${ref} ${commit}`;
  await git.ask(repo, UPDATE_REF, `start\n${change}\ncommit\n`);
}

import { randomUUID } from "node:crypto";
import type { RepoName, Sha } from "../../domain/ids.ts";
import { lengthUpTo, type Helper } from "./conversation.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { readCommit } from "./mirror-objects.ts";
import { gitFailed } from "./run-git.ts";

/** Git repeats a line that names no object, and sends all that comes before it. Not to be guessed: a path may hold any text. */
const END = `end-${randomUUID()}\n`;

const DIFF_TREE: Helper = {
  args: ["diff-tree", "--stdin", "-r", "-z", "--no-renames", "--name-only"],
  lengthOf: lengthUpTo(END),
};

/** Every path that differs between the commit and the tree, both sides of renames; sorted. */
export async function changedPaths(
  git: MirrorGit,
  repo: RepoName,
  { against, tree }: { readonly against: Sha; readonly tree: Sha },
): Promise<readonly string[]> {
  const question = `${(await readCommit(git, repo, against)).tree} ${tree}\n`;
  const answer = (await git.ask(repo, DIFF_TREE, `${question}${END}`)).toString("utf8");
  // A tree that is not there would otherwise pass for one without a difference.
  if (!answer.startsWith(question)) throw gitFailed(DIFF_TREE, `${tree} is not in the mirror`);
  return answer.slice(question.length, -END.length).split("\0").filter(Boolean).sort();
}

import { git, tryGit } from "./git.ts";
import { commitsBetween } from "./history.ts";
import type { Commit, Signature } from "./history.ts";
import { writeCommit } from "./write-commit.ts";

/** Makes the tree that merging `theirs` into `ours` gives; answers undefined when they conflict. */
export async function mergedTree(
  dir: string,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const answer = await tryGit(dir, ["merge-tree", "--write-tree", "--no-messages", ours, theirs]);
  if (answer.exitCode === 0) return answer.stdout.split("\n")[0];
  if (answer.exitCode === 1) return undefined;
  throw new Error(`cannot merge ${theirs} into ${ours}: ${answer.stderr}`);
}

/** Replays the commits of `head` on `base` one by one; answers undefined when one conflicts. */
export async function rebasedHead(
  dir: string,
  range: { readonly base: string; readonly head: string },
  committer: Signature,
): Promise<string | undefined> {
  let tip = range.base;
  for (const commit of await commitsBetween(dir, range.base, range.head)) {
    if (commit.parents.length > 1) continue;
    const tree = await pickedTree(dir, commit, tip);
    if (tree === undefined) return undefined;
    tip = await writeCommit(dir, { ...commit, tree, parents: [tip], committer });
  }
  return tip;
}

async function pickedTree(dir: string, commit: Commit, onto: string): Promise<string | undefined> {
  const parent = commit.parents[0];
  if (parent === undefined) return mergedTree(dir, onto, commit.sha);
  // `merge-tree --merge-base` needs git 2.40: a stand-in for `onto` whose only parent is the picked
  // commit's parent makes that the merge base.
  const standIn = await writeCommit(dir, {
    tree: await git(dir, ["rev-parse", `${onto}^{tree}`]),
    parents: [parent],
    message: "stand-in",
    author: commit.author,
    committer: commit.committer,
  });
  return mergedTree(dir, standIn, commit.sha);
}

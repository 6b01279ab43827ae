import { commitsBetween } from "../../git/history.ts";
import type { Signature } from "../../git/history.ts";
import { mergedTree, rebasedHead } from "../../git/merge.ts";
import { writeCommit } from "../../git/write-commit.ts";
import type { User } from "../../model/account.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { World } from "../../model/world.ts";
import { mergeMessage } from "./merge-message.ts";
import { GITHUB_COMMITTER, signatureOf } from "./signature.ts";

export type MergeMethod = "merge" | "squash" | "rebase";

export interface WantedCommit {
  readonly method: MergeMethod;
  /** The new commit goes on top of this one. */
  readonly onto: string;
  readonly title?: string;
  readonly message?: string;
  readonly actor: User;
}

/** Makes the commit that brings a pull request onto another commit, as GitHub does; answers undefined when they conflict. */
export async function landingCommit(
  world: World,
  pull: PullRequest,
  wanted: WantedCommit,
): Promise<string | undefined> {
  const { dir } = pull.repository;
  const committer = { ...GITHUB_COMMITTER, date: new Date(world.now()).toISOString() };
  return wanted.method === "rebase"
    ? rebasedHead(dir, { base: wanted.onto, head: pull.headSha }, committer)
    : combinedCommit(pull, { ...wanted, over: takeOver(world, wanted) }, committer);
}

/** Names the commit that the tree is built on. It is the wrong one when this GitHub was told to get it wrong. */
function takeOver(world: World, { onto }: WantedCommit): string {
  if (world.wrongLandings <= 0) return onto;
  world.wrongLandings -= 1;
  return `${onto}~`;
}

async function combinedCommit(
  pull: PullRequest,
  wanted: WantedCommit & { readonly over: string },
  committer: Signature,
): Promise<string | undefined> {
  const { dir } = pull.repository;
  const { onto, method } = wanted;
  const tree = await mergedTree(dir, wanted.over, pull.headSha);
  if (tree === undefined) return undefined;
  const commits = await commitsBetween(dir, onto, pull.headSha);
  return writeCommit(dir, {
    tree,
    parents: method === "squash" ? [onto] : [onto, pull.headSha],
    message: mergeMessage(pull, commits, wanted),
    author: signatureOf(method === "squash" ? pull.author : wanted.actor, committer.date),
    committer,
  });
}

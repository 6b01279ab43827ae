import { sha } from "../../domain/ids.ts";
import type { RepoName, Sha } from "../../domain/ids.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { hasCommit, readCommit } from "./mirror-objects.ts";
import type { Placed } from "./placed.ts";

interface Replay {
  readonly repo: RepoName;
  readonly onto: Sha;
  readonly head: Sha;
}

interface ReplayedCommit {
  readonly commit: Sha;
  readonly parent: Sha;
  readonly author: { readonly name: string; readonly email: string; readonly at: number };
  readonly committedAt: number;
  readonly message: string;
}

/** The head's own commits, one after the other, on top of `onto`; merges in between are left out. */
export async function replayCommits(git: MirrorGit, replay: Replay): Promise<Placed> {
  const { repo, onto, head } = replay;
  if (!(await hasCommit(git, repo, head))) {
    return { kind: "missing", reason: `head ${head} is not in the mirror` };
  }
  let commit = onto;
  let { tree } = await readCommit(git, repo, onto);
  for (const next of await commitsOf(git, replay)) {
    const picked = await pick(git, repo, { next, tree });
    if (picked.kind !== "merged") return picked;
    tree = picked.tree;
    const identity = { ...APP_IDENTITY, at: next.committedAt };
    const { message, author } = next;
    commit = await commitTree(git, { repo, tree, parents: [commit], message, identity, author });
  }
  if (commit === onto) return { kind: "missing", reason: `${head} has nothing to replay` };
  return { kind: "placed", commit, tree };
}

async function commitsOf(
  git: MirrorGit,
  { repo, onto, head }: Replay,
): Promise<readonly ReplayedCommit[]> {
  const format = "--format=%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%B%x00%x01";
  const range = ["--no-merges", "--reverse", "--topo-order", `${onto}..${head}`];
  const listed = await git.expect({ repo, args: ["log", format, ...range] });
  const texts = listed.split("\0\x01").map((text) => text.trimStart());
  return texts.filter((text) => text !== "").map(commitFrom);
}

function commitFrom(text: string): ReplayedCommit {
  const [commit = "", parent = "", name = "", email = "", at, committedAt, message = ""] =
    text.split("\0");
  return {
    commit: sha(commit),
    parent: sha(parent),
    author: { name, email, at: Number(at) },
    committedAt: Number(committedAt),
    message,
  };
}

/**
 * `merge-tree --merge-base` needs git 2.40: a stand-in with the tree so far, whose only parent is the picked commit's
 * parent, makes that the merge base.
 */
async function pick(
  git: MirrorGit,
  repo: RepoName,
  { next, tree }: { readonly next: ReplayedCommit; readonly tree: Sha },
) {
  const identity = { ...APP_IDENTITY, at: next.committedAt };
  const parents = [next.parent];
  const standIn = await commitTree(git, { repo, tree, parents, message: "stand-in", identity });
  return mergeTrees(git, { repo, ours: standIn, theirs: next.commit });
}

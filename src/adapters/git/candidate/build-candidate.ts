import type { CandidateStep, LandingMethod } from "../../../domain/entry.ts";
import { sha } from "../../../domain/ids.ts";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { CandidateOutcome, CandidatePart, CandidateRequest } from "../../../ports/git.ts";
import { hasCommit, commitTree, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { MergedTrees } from "./merge-trees.ts";

/** Says how putting one change on top of another ended. */
type RebaseResult =
  | { readonly kind: "placed"; readonly commit: Sha; readonly tree: Sha }
  | Exclude<MergedTrees, { readonly kind: "merged" }>;

interface Placement {
  readonly repo: RepoName;
  readonly onto: Sha;
  readonly part: CandidatePart;
  readonly method: LandingMethod;
}

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

/** Is deterministic: the same base, parts and method give the same commits, on any host and at any time. */
export async function buildCandidate(
  git: MirrorGit,
  { repo, base, method, parts }: CandidateRequest,
): Promise<CandidateOutcome> {
  const steps: CandidateStep[] = [];
  let onto = base;
  for (const [at, part] of parts.entries()) {
    const placed = await placePart(git, { repo, onto, part, method });
    if (placed.kind !== "placed") return { ...placed, at };
    steps.push({ entry: part.entry, head: part.head, commit: placed.commit, tree: placed.tree });
    onto = placed.commit;
  }
  const last = steps.at(-1);
  if (last === undefined) throw new Error("a candidate needs at least one part");
  return {
    kind: "built",
    candidate: { base, method, steps, tree: last.tree, commit: last.commit },
  };
}

async function placePart(
  git: MirrorGit,
  { repo, onto, part, method }: Placement,
): Promise<RebaseResult> {
  const { head, message } = part;
  if (method === "rebase") return replayCommits(git, { repo, onto, head });
  const merged = await mergeTrees(git, { repo, ours: onto, theirs: head });
  if (merged.kind !== "merged") return merged;
  const { tree } = merged;
  const [below, change] = await Promise.all([
    readCommit(git, repo, onto),
    readCommit(git, repo, head),
  ]);
  // A commit is not older than the commits that it is made of.
  const at = Math.max(below.committedAt, change.committedAt);
  const app = await git.identity(repo);
  const author = change.author.name === "" ? app : change.author;
  const parents = method === "squash" ? [onto] : [onto, head];
  const commit = await commitTree(git, {
    repo,
    tree,
    parents,
    message,
    identity: { ...app, at },
    author: { ...(method === "squash" ? author : app), at },
  });
  return { kind: "placed", commit, tree };
}

/** Puts the head's own commits, one after the other, on top of `onto`; merges in between are left out. */
export async function replayCommits(git: MirrorGit, replay: Replay): Promise<RebaseResult> {
  const { repo, onto, head } = replay;
  if (!(await hasCommit(git, repo, head))) {
    return { kind: "missing", reason: `head ${head} is not in the mirror` };
  }
  const app = await git.identity(repo);
  let commit = onto;
  let { tree } = await readCommit(git, repo, onto);
  for (const next of await commitsOf(git, replay)) {
    const picked = await pick(git, repo, { next, tree });
    if (picked.kind !== "merged") return picked;
    tree = picked.tree;
    const identity = { ...app, at: next.committedAt };
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
 * Puts one commit on top of the tree so far. `merge-tree --merge-base` needs git 2.40, so we make a stand-in commit with that tree:
 * its only parent is the parent of the picked commit, which becomes the merge base that way.
 */
async function pick(
  git: MirrorGit,
  repo: RepoName,
  { next, tree }: { readonly next: ReplayedCommit; readonly tree: Sha },
) {
  const identity = { ...next.author, at: next.committedAt };
  const parents = [next.parent];
  const standIn = await commitTree(git, { repo, tree, parents, message: "stand-in", identity });
  return mergeTrees(git, { repo, ours: standIn, theirs: next.commit });
}

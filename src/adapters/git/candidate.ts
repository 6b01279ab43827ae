import type { CandidateStep, LandingMethod } from "../../domain/entry.ts";
import type { RepoName, Sha } from "../../domain/ids.ts";
import type { CandidateOutcome, CandidatePart, CandidateRequest } from "../../ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { readCommit } from "./mirror-objects.ts";
import type { Placed } from "./placed.ts";
import { replayCommits } from "./replay-commits.ts";

/** Deterministic: the same base, parts and method give the same commits, on any host and at any time. */
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

interface Placement {
  readonly repo: RepoName;
  readonly onto: Sha;
  readonly part: CandidatePart;
  readonly method: LandingMethod;
}

async function placePart(git: MirrorGit, { repo, onto, part, method }: Placement): Promise<Placed> {
  const { head, message } = part;
  if (method === "rebase") return replayCommits(git, { repo, onto, head });
  const merged = await mergeTrees(git, { repo, ours: onto, theirs: head });
  if (merged.kind !== "merged") return merged;
  const { tree } = merged;
  const [below, change] = await Promise.all([
    readCommit(git, repo, onto),
    readCommit(git, repo, head),
  ]);
  // A commit is not older than what it is made of.
  const at = Math.max(below.committedAt, change.committedAt);
  const author = change.author.name === "" ? APP_IDENTITY : change.author;
  const parents = method === "squash" ? [onto] : [onto, head];
  const commit = await commitTree(git, {
    ...{ repo, tree, parents, message },
    identity: { ...APP_IDENTITY, at },
    author: { ...(method === "squash" ? author : APP_IDENTITY), at },
  });
  return { kind: "placed", commit, tree };
}

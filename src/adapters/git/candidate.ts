import type { CandidateStep, LandingMethod } from "../../domain/entry.ts";
import type { RepoName, Sha } from "../../domain/ids.ts";
import type { CandidateOutcome, CandidatePart, CandidateRequest } from "../../ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { MirrorGit } from "./mirror-git.ts";
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
  const at = await laterTime(git, repo, [onto, head]);
  const identity = { ...APP_IDENTITY, at };
  const author = method === "squash" ? await authorOf(git, repo, head) : APP_IDENTITY;
  const parents = method === "squash" ? [onto] : [onto, head];
  const commit = await commitTree(git, {
    ...{ repo, tree, parents, message, identity },
    author: { ...author, at },
  });
  return { kind: "placed", commit, tree };
}

/** A commit is not older than what it is made of. */
async function laterTime(git: MirrorGit, repo: RepoName, commits: readonly Sha[]): Promise<number> {
  const args = ["log", "--no-walk", "--format=%ct", ...commits];
  const times = (await git.expect({ repo, args })).trim().split("\n").map(Number);
  return Math.max(...times);
}

async function authorOf(
  git: MirrorGit,
  repo: RepoName,
  commit: Sha,
): Promise<{ readonly name: string; readonly email: string }> {
  const args = ["log", "-1", "--format=%an%x00%ae", commit];
  const [name = "", email = ""] = (await git.expect({ repo, args })).trimEnd().split("\0");
  return name === "" ? APP_IDENTITY : { name, email };
}

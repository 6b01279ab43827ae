import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { CatchUpRequest, CaughtUp } from "../../../ports/git.ts";
import { askMergeBase } from "../mirror/history.ts";
import { commitTree, findObject, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { replayCommits } from "./build-candidate.ts";
import { mergeTrees } from "./merge-trees.ts";

const WORKFLOWS = ".github/workflows";

/** A branch that has the base's workflow files is left as it is: a replay that nobody needs would be a commit that nobody verified. */
export async function catchUp(git: MirrorGit, request: CatchUpRequest): Promise<CaughtUp> {
  const { repo, head, base } = request;
  const own = await workflowsAt(git, repo, head);
  if (own === (await workflowsAt(git, repo, base))) return { kind: "current" };
  const parted = await askMergeBase(git, repo, [base, head]);
  const before = parted.code === 0 ? await workflowsAt(git, repo, parted.stdout.trim()) : undefined;
  if (own !== before) return { kind: "own-workflows" };
  const placed = await (request.rewrite ? replay : merge)(git, request);
  if (placed.kind === "placed") return { kind: "caught-up", commit: placed.commit };
  return { kind: "conflict", paths: placed.kind === "conflict" ? placed.paths : [] };
}

/** Names the folder's content; undefined means that the commit has no such folder. */
async function workflowsAt(
  git: MirrorGit,
  repo: RepoName,
  commit: string,
): Promise<string | undefined> {
  return findObject(git, repo, `${commit}:${WORKFLOWS}`);
}

type Replayed = Awaited<ReturnType<typeof replayCommits>>;

function replay(git: MirrorGit, { repo, head, base }: CatchUpRequest): Promise<Replayed> {
  return replayCommits(git, { repo, onto: base, head });
}

/** Others may have the branch, so its commits stay. */
async function merge(
  git: MirrorGit,
  { repo, head, base, message }: CatchUpRequest,
): Promise<Replayed> {
  const merged = await mergeTrees(git, { repo, ours: head, theirs: base });
  if (merged.kind !== "merged") return merged;
  const parents: readonly Sha[] = [head, base];
  const times = await Promise.all(parents.map((parent) => readCommit(git, repo, parent)));
  const at = Math.max(...times.map(({ committedAt }) => committedAt));
  const identity = { ...(await git.identity(repo)), at };
  const { tree } = merged;
  const commit = await commitTree(git, { repo, tree, parents, message, identity });
  return { kind: "placed", commit, tree };
}

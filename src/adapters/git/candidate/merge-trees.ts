import { sha } from "../../../domain/ids.ts";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { askMergeBase } from "../mirror/history.ts";
import { hasCommit } from "../mirror/mirror-commits.ts";
import type { MirrorCommand, MirrorGit } from "../mirror/mirror-git.ts";
import { gitFailed } from "../run/run-git.ts";

interface MergeRequest {
  readonly repo: RepoName;
  readonly ours: Sha;
  readonly theirs: Sha;
}

export type MergedTrees =
  | { readonly kind: "merged"; readonly tree: Sha }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "missing"; readonly reason: string };

/** Makes the tree that merging `theirs` into `ours` gives. It never takes a missing commit for a conflict. */
export async function mergeTrees(git: MirrorGit, request: MergeRequest): Promise<MergedTrees> {
  const { repo, ours, theirs } = request;
  const flags = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const command: MirrorCommand = { repo, args: ["merge-tree", ...flags, ours, theirs] };
  const result = await git.run(command);
  const merged = parseMergeTree(result.stdout);
  if (merged === undefined) {
    const reason = await whyNotMergeable(git, request);
    if (reason !== undefined) return { kind: "missing", reason };
    throw gitFailed(command, result.stderr);
  }
  if (result.code !== 0) return { kind: "conflict", paths: merged.conflicts };
  return { kind: "merged", tree: merged.tree };
}

/**
 * Reads `git merge-tree --write-tree -z --name-only --no-messages`. It returns undefined when no tree was written: the exit code
 * alone does not tell a conflict from a commit that is missing.
 */
function parseMergeTree(
  stdout: string,
): { readonly tree: Sha; readonly conflicts: readonly string[] } | undefined {
  const [tree, ...names] = stdout.split("\0");
  if (tree === undefined || !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(tree)) return undefined;
  return { tree: sha(tree), conflicts: [...new Set(names.filter((name) => name !== ""))].sort() };
}

async function whyNotMergeable(
  git: MirrorGit,
  { repo, ours, theirs }: MergeRequest,
): Promise<string | undefined> {
  if (!(await hasCommit(git, repo, ours))) return `base ${ours} is not in the mirror`;
  if (!(await hasCommit(git, repo, theirs))) return `head ${theirs} is not in the mirror`;
  const related = await askMergeBase(git, repo, [ours, theirs]);
  return related.code === 1 ? `${theirs} shares no history with ${ours}` : undefined;
}

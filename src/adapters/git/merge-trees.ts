import type { RepoName, Sha } from "../../domain/ids.ts";
import { askMergeBase } from "./history.ts";
import type { MirrorCommand, MirrorGit } from "./mirror-git.ts";
import { hasCommit } from "./mirror-objects.ts";
import { parseMergeTree } from "./parse-merge-tree.ts";
import { gitFailed } from "./run-git.ts";

interface MergeRequest {
  readonly repo: RepoName;
  readonly ours: Sha;
  readonly theirs: Sha;
}

export type MergedTrees =
  | { readonly kind: "merged"; readonly tree: Sha }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "missing"; readonly reason: string };

/** The tree that merging `theirs` into `ours` gives. A commit that is not there is never taken for a conflict. */
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

async function whyNotMergeable(
  git: MirrorGit,
  { repo, ours, theirs }: MergeRequest,
): Promise<string | undefined> {
  if (!(await hasCommit(git, repo, ours))) return `base ${ours} is not in the mirror`;
  if (!(await hasCommit(git, repo, theirs))) return `head ${theirs} is not in the mirror`;
  const related = await askMergeBase(git, repo, [ours, theirs]);
  return related.code === 1 ? `${theirs} shares no history with ${ours}` : undefined;
}

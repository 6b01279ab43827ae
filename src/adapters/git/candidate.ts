import type { RepoName, Sha } from "../../domain/ids.ts";
import type { CandidateOutcome, Git } from "../../ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import type { MirrorCommand, MirrorGit } from "./mirror-git.ts";
import { parseMergeTree } from "./parse-merge-tree.ts";
import { gitFailed } from "./run-git.ts";

type CandidateRequest = Parameters<Git["buildCandidate"]>[0];

export async function buildCandidate(
  git: MirrorGit,
  request: CandidateRequest,
): Promise<CandidateOutcome> {
  const { repo, base, head } = request;
  const flags = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const command: MirrorCommand = { repo, args: ["merge-tree", ...flags, base, head] };
  const result = await git.run(command);
  const merged = parseMergeTree(result.stdout);
  if (merged === undefined) {
    const reason = await whyNotMergeable(git, request);
    if (reason !== undefined) return { kind: "missing", reason };
    throw gitFailed(command, result.stderr);
  }
  if (result.code !== 0) return { kind: "conflict", paths: merged.conflicts };
  const commit = await commitCandidate(git, request, merged.tree);
  return { kind: "built", candidate: { base, head, tree: merged.tree, commit } };
}

/** The same base and head give the same commit, on any host and at any time. */
async function commitCandidate(
  git: MirrorGit,
  { repo, base, head, message }: CandidateRequest,
  tree: Sha,
): Promise<Sha> {
  const committed = await git.expect({ repo, args: ["log", "-1", "--format=%ct", base] });
  return commitTree(git, {
    repo,
    tree,
    parents: [base, head],
    message,
    identity: {
      name: "wavetrain",
      email: "wavetrain@wavetrain.invalid",
      at: Number(committed.trim()),
    },
  });
}

async function whyNotMergeable(
  git: MirrorGit,
  { repo, base, head }: CandidateRequest,
): Promise<string | undefined> {
  if (!(await hasCommit(git, repo, base))) return `base ${base} is not in the mirror`;
  if (!(await hasCommit(git, repo, head))) return `head ${head} is not in the mirror`;
  const related = await git.run({ repo, args: ["merge-base", base, head] });
  return related.code === 1 ? `${head} shares no history with ${base}` : undefined;
}

async function hasCommit(git: MirrorGit, repo: RepoName, commit: Sha): Promise<boolean> {
  const result = await git.run({ repo, args: ["cat-file", "-e", `${commit}^{commit}`] });
  return result.code === 0;
}

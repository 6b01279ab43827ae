import type { RepoName, Sha } from "../../domain/ids.ts";
import type { CandidateOutcome, Git } from "../../ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
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
  const [result, committedAt] = await Promise.all([
    git.run(command),
    git.run({ repo, args: ["log", "-1", "--format=%ct", base] }),
  ]);
  const merged = parseMergeTree(result.stdout);
  if (merged === undefined) {
    const reason = await whyNotMergeable(git, request);
    if (reason !== undefined) return { kind: "missing", reason };
    throw gitFailed(command, result.stderr);
  }
  if (result.code !== 0) return { kind: "conflict", paths: merged.conflicts };
  const commit = await commitTree(git, {
    repo,
    tree: merged.tree,
    parents: [base, head],
    message: request.message,
    // The base's own time: the same base and head give the same commit, on any host and at any time.
    identity: { ...APP_IDENTITY, at: Number(committedAt.stdout) },
  });
  return { kind: "built", candidate: { base, head, tree: merged.tree, commit } };
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
